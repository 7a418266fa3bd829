# SPDX-License-Identifier: MIT
"""The tour, line by line: what each scene prints, and what its journal says."""

import os
import re
import time

from cases import SCENES, TourCase, run

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class TourTest(TourCase):
    # The lines

    def test_ends_by_itself_within_twenty_seconds(self):
        start = time.monotonic()
        status, output, errors = run(self.folder)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(re.findall(r"(?m)^(\w+): ", output), SCENES)
        self.assertEqual(output, self.tour(), "the speed must not change the lines")

    def test_the_same_seed_gives_the_same_lines(self):
        seven = self.tour("--seed", "7")
        for _ in range(10):
            self.assertEqual(seven, self.tour("--seed", "7"))
        self.assertNotEqual(seven, self.tour("--seed", "8"))

    def test_every_scene_can_be_played_alone_and_is_the_same_then(self):
        scenes = re.split(r"(?m)^(?=\w+: )", self.tour())[1:]
        self.assertEqual(len(scenes), len(SCENES))
        for scene, text in zip(SCENES, scenes):
            with self.subTest(scene):
                self.assertTrue(self.tour("--scene", scene).rstrip().endswith(text.rstrip()))

    def test_several_scenes_are_played_in_the_order_asked_for(self):
        for options in [["--scene", "race,like"], ["--scene", "race", "--scene=like"]]:
            self.assertEqual(re.findall(r"(?m)^(\w+): ", self.tour(*options)), ["race", "like"])

    def test_time_never_runs_backwards(self):
        for scene in SCENES:
            times = [float(time) for time in re.findall(r"(?m)^ +(\d+\.\d{3}) ", self.tour("--scene", scene))]
            self.assertGreaterEqual(len(times), 4)
            self.assertEqual(times, sorted(times))

    def test_the_code_of_a_scene_is_a_part_of_its_source(self):
        for scene in SCENES:
            source = set()
            for name in [scene.capitalize(), "HandWritten"]:
                with open(os.path.join(PACKAGE, "Sources/AsyncStateDemo/Scenes", name + ".swift")) as file:
                    source |= {re.sub(r" *// fault: .*", "", line).strip() for line in file}
            story = self.tour("--scene", scene).split(f"\n{scene}: ", 1)[1].split("\n\n")
            code = [line for line in story[1].splitlines() if line.startswith("    ")]
            self.assertGreaterEqual(len(code), 5, scene)
            self.assertEqual([line for line in code if line.strip(" ✗") not in source], [], scene)
            self.assertEqual([line for line in code if "stage." in line], [], scene)
            # By hand, one line at least is the mistake.
            self.assertEqual("✗" in story[1], "By hand:" in story[1], scene)

    # The stories

    def story(self, scene, *seed):
        """What happens in the scene: lane and text of each line."""
        lines = re.findall(r"(?m)^ +\d+\.\d{3}  (.{14}) (.*)$", self.tour("--scene", scene, *seed))
        return [(lane.strip(), text) for lane, text in lines]

    def display(self, scene, box, *seed):
        """What a box of the scene displays, in order."""
        return [text for lane, text in self.story(scene, *seed) if lane == box]

    def test_the_older_answer_of_a_race_is_displayed_by_hand_only(self):
        for seed in ["1", "2", "3"]:
            self.assertEqual(
                self.display("race", "by hand", "--seed", seed),
                ["Loading", "swallow, swan", "sparrow, swallow, swan"])
            self.assertEqual(self.display("race", "AsyncState", "--seed", seed), ["Loading", "swallow, swan"])

    def test_a_cancel_brings_the_content_back(self):
        content = "Buy bread., Call home."
        self.assertEqual(self.display("cancel", "by hand"), ["Loading", content, "Loading", "✗ CancellationError()"])
        self.assertEqual(self.display("cancel", "AsyncState"), ["Loading", content, "Loading", content])

    def test_a_pacer_keeps_the_indicator_from_flickering(self):
        self.assertEqual(self.display("flicker", "by hand").count("Loading"), 3)
        self.assertEqual(self.display("flicker", "AsyncState"), ["€ 12.50", "Loading", "€ 12.50"])

    def test_content_stays_beside_a_refresh_and_its_failure(self):
        self.assertEqual(
            self.display("refresh", "AsyncState"),
            ["Loading", "Hello!", "Hello!, News!", "Hello!, News! (✗ The server is closed)"])
        self.assertEqual(
            self.display("refresh", "by hand"),
            ["Loading", "Hello!", "Loading", "Hello!, News!", "Loading", "✗ The server is closed"])

    def test_a_like_that_fails_is_taken_back_alone(self):
        before = ["♡ Oslo, ♡ Rome", "♡ Oslo, ♥ Rome", "♥ Oslo, ♥ Rome"]
        self.assertEqual(self.display("like", "by hand"), [*before, "♡ Oslo, ♡ Rome"])
        self.assertEqual(self.display("like", "AsyncState"), [*before, "♥ Oslo, ♡ Rome"])

    def test_retries_are_seen(self):
        self.assertEqual(
            self.events("retry", "report"),
            ["load started (refresh)", *(f"attempt {number} failed, retrying: The report is not written yet"
                                        for number in [1, 2, 3]), "answered"])
        self.assertEqual(self.events("retry", "request").count("load started (refresh)"), 4)
        self.assertEqual(self.events("retry", "request").count("failed: The report is not written yet"), 3)
        self.assertEqual(self.story("retry")[-1], ("screen", "All is well."))

    def test_a_stream_shows_its_parts(self):
        self.assertEqual(
            self.display("stream", "progress"), ["not known", "25 %", "50 %", "75 %", "complete"])
        self.assertEqual([text.count(", ") for text in self.display("stream", "screen")], [0, 0, 1, 2, 3])
        self.assertEqual(
            self.events("stream", "poem"),
            ["load started (refresh)", *(text for part in [25, 50, 75, 100] for text in ["yielded", f"progress {part} %"]),
             "answered"])

    def test_the_gallery_has_the_four_statuses_live_and_in_previews(self):
        self.assertEqual(
            self.display("gallery", "live"),
            ["Loading", "such text", "Loading", "Nothing here", "Loading", "✗ such an error"])
        previews = [(lane, text) for lane, text in self.story("gallery") if lane in ["loading", "data", "noData", "error"]]
        self.assertEqual(
            previews,
            [("loading", "Loading"), ("data", "such text"), ("noData", "Nothing here"), ("error", "✗ such an error")])

    def test_of_two_folders_the_error_that_arrives_last_is_displayed_by_hand_only(self):
        for seed in ["1", "2", "3"]:
            self.assertEqual(
                self.display("files", "by hand", "--seed", seed),
                ["Loading", "a.txt, b.txt", "Loading", "a.txt, b.txt", "✗ No such file or directory: missing"])
            self.assertEqual(
                self.display("files", "AsyncState", "--seed", seed),
                ["Loading", "a.txt, b.txt", "Loading", "a.txt, b.txt"])
        story = self.story("files")
        late = next(index for index, (lane, text) in enumerate(story) if lane == "read missing" and "failed" in text)
        self.assertEqual([lane for lane, _ in story[late:]], ["read missing", "by hand"])

    def test_animations_end_each_in_its_time_and_an_in_between_state_is_never_displayed(self):
        events = self.events("custom", "letter")
        self.assertEqual(
            [event.removesuffix(", animated") for event in events if "transition" in event],
            ["will transition to editing", "did transition from nothing",
             "will transition to saving", "did transition from editing",
             "will transition to saved", "did transition from saving",
             "will transition to editing", "did transition from saved"])
        self.assertEqual(self.display("custom", "AsyncState")[-1], "editor")
        self.assertEqual(self.display("custom", "by hand")[-1], "receipt")
        for child in ["editor", "shade", "receipt"]:
            steps = [event for event in events if re.fullmatch(f"{child} (will|did) (dis)?appear", event)]
            for will, did in zip(steps[::2], steps[1::2]):
                self.assertEqual(will.replace("will", "did"), did)
            self.assertGreaterEqual(len(steps), 4)
            self.assertEqual(len(steps) % 2, 0)

    # What the journal says

    def events(self, scene, subject):
        """The journal's entries about a subject, without their numbers and causes."""
        return [re.fullmatch(r"#\d+ (.*?)(?: ← #\d+)?", text)[1] for text in self.display(scene, subject)]

    def test_the_load_of_the_older_text_is_superseded_though_its_answer_still_arrives(self):
        self.assertEqual(
            self.events("race", "list"),
            ["no key", "key changed", "load started (refresh)", "superseded", "key changed", "load started (refresh)",
             "answered"])
        story = self.story("race")
        late = next(index for index, (lane, text) in enumerate(story) if lane == "search “s”" and "answered" in text)
        self.assertEqual([lane for lane, _ in story[late:]], ["search “s”", "by hand"])

    def test_every_entry_names_the_one_that_led_to_it(self):
        for scene in SCENES:
            entries = {}
            for lane, text in self.story(scene):
                match = re.fullmatch(r"#(\d+) (.*?)(?: ← #(\d+))?", text)
                if match:
                    number, event, cause = match.groups()
                    entries[number] = f"{lane}: {event}"
                    if cause:
                        self.assertIn(cause, entries, f"{scene}: {text}")
                    if event.startswith(("answered", "failed", "key changed", "attempt", "yielded")):
                        self.assertIsNotNone(cause, f"{scene}: {lane} {text}")
            self.assertGreaterEqual(len(entries), 4, scene)
