# SPDX-License-Identifier: MIT
"""The tour, line by line: what each scene prints, and what its journal says."""

import os
import re
import time

from cases import SCENES, TourCase, run

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class TourTest(TourCase):
    # The lines

    def test_ends_by_itself_within_thirty_seconds(self):
        start = time.monotonic()
        status, output, errors = run()
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(re.findall(r"(?m)^(\w+): ", output), SCENES)
        self.assertEqual(output, self.tour(), "the speed must not change the lines")

    def test_each_run_gives_the_same_lines(self):
        lines = self.tour()
        for _ in range(5):
            self.assertEqual(lines, self.tour())

    def test_every_scene_can_be_played_alone_and_is_the_same_then(self):
        scenes = re.split(r"(?m)^(?=\w+: )", self.tour())[1:]
        self.assertEqual(len(scenes), len(SCENES))
        for scene, text in zip(SCENES, scenes):
            with self.subTest(scene):
                self.assertTrue(self.tour("--scene", scene).rstrip().endswith(text.rstrip()))

    def test_several_scenes_are_played_in_the_order_asked_for(self):
        for options in [["--scene", "race,like"], ["--scene", "race", "--scene=like"]]:
            self.assertEqual(re.findall(r"(?m)^(\w+): ", self.tour(*options)), ["race", "like"])

    def test_every_scene_compares_and_says_how_it_ends(self):
        for scene in SCENES:
            story = self.tour("--scene", scene)
            self.assertRegex(story, r"(?m)^  ✗ By hand: .*\.\n  ✓ AsyncState: .*\.$", scene)
            self.assertNotEqual(self.display(scene, "by hand"), self.display(scene, "AsyncState"), scene)

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

    def story(self, scene):
        """What happens in the scene: lane and text of each line."""
        lines = re.findall(r"(?m)^ +\d+\.\d{3}  (.{14}) (.*)$", self.tour("--scene", scene))
        return [(lane.strip(), text) for lane, text in lines]

    def display(self, scene, box):
        """What the box displays, one after another."""
        return [text for lane, text in self.story(scene) if lane == box]

    def test_the_older_answer_of_a_race_is_displayed_by_hand_only_though_its_task_was_cancelled(self):
        self.assertEqual(self.display("race", "by hand"), ["Loading", "swan", "sparrow, swan"])
        self.assertEqual(self.display("race", "AsyncState"), ["Loading", "swan"])
        self.assertIn("task?.cancel()", self.tour("--scene", "race"))

    def test_a_cancel_brings_the_content_back(self):
        content = "Bread, Milk"
        self.assertEqual(self.display("cancel", "by hand"), ["Loading", content, "Loading", "✗ CancellationError()"])
        self.assertEqual(self.display("cancel", "AsyncState"), ["Loading", content, "Loading", content])

    def test_a_pacer_keeps_the_indicator_from_flickering(self):
        self.assertEqual(self.display("flicker", "by hand").count("Loading"), 3)
        self.assertEqual(self.display("flicker", "AsyncState"), ["€ 12.50", "Loading", "€ 12.50"])

    def test_content_stays_beside_a_refresh_and_its_failure(self):
        self.assertEqual(self.display("refresh", "AsyncState"), ["Loading", "Hi", "Hi, News", "Hi, News (✗ closed)"])
        self.assertEqual(
            self.display("refresh", "by hand"), ["Loading", "Hi", "Loading", "Hi, News", "Loading", "✗ closed"])

    def test_an_answer_without_content_is_said_to_be_one(self):
        self.assertEqual(self.display("empty", "by hand"), ["Loading", "Hi", "Loading", "[]"])
        self.assertEqual(self.display("empty", "AsyncState"), ["Loading", "Hi", "Loading", "Nothing here"])

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
        self.assertEqual(self.display("retry", "by hand"), ["Loading", "✗ The report is not written yet"])
        self.assertEqual(self.display("retry", "AsyncState"), ["Loading", "All is well."])

    def test_a_request_waits_for_the_network(self):
        self.assertEqual(self.display("offline", "by hand"), ["✗ No network"])
        self.assertEqual(self.display("offline", "AsyncState"), ["Waiting for the network", "Loading", "Rain, Sun"])
        self.assertEqual(self.events("offline", "request"), ["load started (refresh)", "answered"])

    def test_a_stream_shows_its_parts(self):
        lines = ["I wandered lonely", "as a cloud", "that floats on high", "o'er vales and hills"]
        parts = [", ".join([f"{25 * count} %", *lines[:count]]) for count in [1, 2, 3]]
        self.assertEqual(self.display("stream", "AsyncState"), ["Loading", *parts, ", ".join(lines)])
        self.assertEqual(self.display("stream", "by hand"), ["Loading", ", ".join(lines)])
        self.assertEqual(
            self.events("stream", "poem"),
            ["load started (refresh)", *(text for part in [25, 50, 75, 100] for text in ["yielded", f"progress {part} %"]),
             "answered"])

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
