// SPDX-License-Identifier: MIT
extension JournalPage {
  // Texts of the journal become text alone: `textContent`, and `fillText` of the canvas.
  static let script = #"""

    "use strict";
    (() => {
    const { dropped, subjects, entries } = JSON.parse(document.getElementById("data").textContent);
    const [NUMBER, TIME, SUBJECT, TEXT, CAUSE, ENDS, TRACK, TONE, KIND, BEGINS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const REQUESTS = 0, CONTENT = 1, STATUS = 2, TRANSITIONS = 3, CHILDREN = 4, ATTACHMENT = 6;
    const TRACKS = ["requests", "data", "status", "container", "children", "events"];
    const FAILURE = 2, WARNING = 4;
    const ROW = 22, LANE = 20, AXIS = 22;
    let GUTTER = 170;
    const $ = id => document.getElementById(id);
    const lanesView = $("lanes"), room = $("room"), canvas = $("chart"), list = $("list"), rows = $("rows");

    // MARK: The entries by number, cause and lane

    const first = entries.length ? entries[0][NUMBER] : 1;
    const at = number => entries[number - first];
    const effects = new Map(), endOf = new Map();
    for (const entry of entries) {
      if (entry[CAUSE]) effects.set(entry[CAUSE], [...(effects.get(entry[CAUSE]) ?? []), entry[NUMBER]].slice(0, 100));
      if (entry[ENDS]) endOf.set(entry[ENDS], entry);
    }
    // Subjects of which nothing is said but that they were attached have one lane together.
    const busy = new Set(entries.filter(entry => entry[TRACK] !== ATTACHMENT).map(entry => entry[SUBJECT]));
    const found = new Map();
    const folded = { subject: subjects.length, track: ATTACHMENT, items: [], bands: [] };
    const lane = (subject, track) => {
      const key = subject * 8 + track;
      if (!found.has(key)) found.set(key, { subject, track, items: [], bands: [] });
      return found.get(key);
    };
    for (const entry of entries) {
      if (!busy.has(entry[SUBJECT])) { folded.items.push(entry); continue; }
      if (entry[TRACK] !== ATTACHMENT) lane(entry[SUBJECT], entry[TRACK]).items.push(entry);
      if (entry[KIND]) {
        const bands = lane(entry[SUBJECT], CONTENT).bands, last = bands[bands.length - 1];
        if (!last || last[KIND] !== entry[KIND]) bands.push(entry);
      }
      if (entry[TRACK] === STATUS || entry[TRACK] === CHILDREN && entry[TEXT].startsWith("children: "))
        lane(entry[SUBJECT], entry[TRACK]).bands.push(entry);
    }
    const lanes = [...found.values()].sort((a, b) => a.subject - b.subject || a.track - b.track);
    if (folded.items.length) lanes.push(folded);
    const firstLanes = new Map();
    for (const each of [...lanes].reverse()) firstLanes.set(each.subject, each);
    const laneOf = entry => !busy.has(entry[SUBJECT]) ? folded
      : entry[TRACK] === ATTACHMENT ? firstLanes.get(entry[SUBJECT]) : found.get(entry[SUBJECT] * 8 + entry[TRACK]);
    // The attachment of a subject stands in its first lane.
    for (const entry of entries)
      if (entry[TRACK] === ATTACHMENT && busy.has(entry[SUBJECT])) laneOf(entry).items.push(entry);
    for (const { items } of firstLanes.values()) items.sort((a, b) => a[NUMBER] - b[NUMBER]);

    // MARK: Selection and search

    // It opens at the first fault, or at the beginning.
    const fault = entries.find(entry => entry[TONE] === FAILURE || entry[TONE] === WARNING) ?? entries[0];
    let shown = entries, selected = fault ? fault[NUMBER] : 0;
    let byOrder = false, zoom = 1;
    let texts = null;
    const words = entry => `#${entry[NUMBER]} ${subjects[entry[SUBJECT]]}: ${entry[TEXT]}`;
    const causesOf = number => {
      const chain = [];
      for (let entry = at(number); entry && entry[CAUSE]; entry = at(entry[CAUSE])) chain.push(entry[CAUSE]);
      return chain;
    };
    const indexIn = number => {
      let low = 0, high = shown.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (shown[middle][NUMBER] < number) low = middle + 1; else high = middle;
      }
      return low;
    };

    function search(text) {
      const wanted = text.toLowerCase();
      texts ??= entries.map(entry => words(entry).toLowerCase());
      shown = wanted ? entries.filter((_, index) => texts[index].includes(wanted)) : entries;
      list.scrollTop = 0;
      count();
      reveal();
      schedule();
    }

    function count() {
      const kept = shown.length === entries.length ? `${entries.length} entries` : `${shown.length} of ${entries.length} entries`;
      $("count").textContent = dropped ? `${kept}, ${dropped} dropped` : kept;
    }

    function select(number, isHere) {
      if (!at(number)) return;
      selected = number;
      if (!shown.includes(at(number))) { $("search").value = ""; shown = entries; count(); }
      reveal();
      if (!isHere) showInLanes();
      describe();
      schedule();
    }

    function reveal() {
      // What is searched for may be another list by now, which is drawn in the next frame.
      rows.style.height = `${shown.length * ROW}px`;
      const top = indexIn(selected) * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    }

    // MARK: The list

    function drawList() {
      const start = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
      const end = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5);
      const children = [];
      for (let index = start; index < end; index++) {
        const entry = shown[index], row = document.createElement("div");
        row.setAttribute("role", "option");
        row.id = `entry-${entry[NUMBER]}`;
        row.dataset.number = entry[NUMBER];
        row.className = `tone${entry[TONE]}`;
        row.style.cssText = `position:absolute;left:0;right:0;top:${index * ROW}px`;
        row.setAttribute("aria-selected", entry[NUMBER] === selected);
        row.setAttribute("aria-setsize", shown.length);
        row.setAttribute("aria-posinset", index + 1);
        row.textContent = `${(entry[TIME] / 1e6).toFixed(3).padStart(9)}  ${words(entry)}`
          + (entry[CAUSE] ? `  ← #${entry[CAUSE]}` : "");
        children.push(row);
      }
      rows.replaceChildren(...children);
      const isVisible = children.some(row => row.dataset.number === String(selected));
      if (isVisible) list.setAttribute("aria-activedescendant", `entry-${selected}`);
      else list.removeAttribute("aria-activedescendant");
    }

    // MARK: The selected entry

    function describe() {
      const entry = at(selected), parts = [];
      const heading = text => { const h = document.createElement("h2"); h.textContent = text; parts.push(h); };
      const links = numbers => {
        const ol = document.createElement("ol");
        for (const number of numbers) {
          const li = document.createElement("li"), other = at(number);
          if (other) {
            const button = document.createElement("button");
            button.textContent = words(other);
            button.className = `tone${other[TONE]}`;
            button.onclick = () => { select(number); list.focus(); };
            li.append(button);
          } else { li.textContent = `#${number}, dropped`; }
          ol.append(li);
        }
        parts.push(ol);
      };
      if (!entry) { heading("Nothing has happened yet."); }
      else {
        heading(words(entry));
        const causes = causesOf(selected);
        heading(causes.length ? "Causes" : "It came from outside.");
        if (causes.length) links(causes);
        const related = [entry[ENDS], endOf.get(selected)?.[NUMBER]].filter(Boolean);
        if (related.length) { heading(entry[ENDS] ? "It ends" : "It is ended by"); links(related); }
        const led = effects.get(selected) ?? [];
        if (led.length) { heading(led.length < 100 ? "It led to" : "It led to, among others"); links(led); }
      }
      $("details").replaceChildren(...parts);
    }

    // MARK: The lanes

    const colours = {};
    function readColours() {
      const style = getComputedStyle(document.documentElement);
      for (const name of ["back", "text", "faint", "line", "chosen", "plain", "success", "failure", "ended", "warning",
        "running", "stale"]) colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    const TONES = ["plain", "success", "failure", "ended", "warning"];
    const start = entries.length ? entries[0][TIME] : 0;
    const length = Math.max(1, entries.length ? entries[entries.length - 1][TIME] - start : 1);
    const fraction = entry => byOrder
      ? (entry[NUMBER] - first + 0.5) / Math.max(1, entries.length) : (entry[TIME] - start) / length;
    const gutter = () => Math.round(Math.min(190, Math.max(144, lanesView.clientWidth * 0.3)));
    const width = () => Math.max(50, (lanesView.clientWidth - GUTTER - 16) * zoom);
    const xOf = entry => GUTTER + fraction(entry) * width() - lanesView.scrollLeft;

    function firstAt(items, x) {
      let low = 0, high = items.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (xOf(items[middle]) < x) low = middle + 1; else high = middle;
      }
      return low;
    }

    function drawLanes() {
      GUTTER = gutter();
      room.style.width = `${GUTTER + width() + 16}px`;
      room.style.height = `${AXIS + lanes.length * LANE + 8}px`;
      const wide = lanesView.clientWidth, high = lanesView.clientHeight, scale = window.devicePixelRatio || 1;
      if (canvas.width !== Math.round(wide * scale) || canvas.height !== Math.round(high * scale)) {
        canvas.width = Math.round(wide * scale);
        canvas.height = Math.round(high * scale);
        canvas.style.width = `${wide}px`;
        canvas.style.height = `${high}px`;
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.fillStyle = colours.back;
      pen.fillRect(0, 0, wide, high);
      pen.font = "12px system-ui, sans-serif";
      pen.textBaseline = "middle";
      const top = lanesView.scrollTop;
      const from = Math.max(0, Math.floor(top / LANE) - 1), to = Math.min(lanes.length, Math.ceil((top + high) / LANE));
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER, AXIS, wide - GUTTER, high - AXIS);
      pen.clip();
      for (let index = from; index < to; index++) drawLane(pen, lanes[index], AXIS + index * LANE - top, wide);
      drawSelection(pen, top, high);
      pen.restore();
      for (let index = from; index < to; index++) drawName(pen, index, AXIS + index * LANE - top);
      drawAxis(pen, wide);
    }

    // The name of the subject, cut where there is no room, and at the end of the line what the lane says of it.
    function drawName(pen, index, y) {
      const { subject, track, items } = lanes[index];
      pen.fillStyle = colours.back;
      pen.fillRect(0, y, GUTTER - 4, LANE);
      const isFolded = lanes[index] === folded;
      const name = isFolded ? "" : subjects[subject];
      const what = isFolded ? `attached: ${new Set(items.map(entry => entry[SUBJECT])).size} more` : TRACKS[track];
      const end = GUTTER - 8 - pen.measureText(what).width;
      pen.fillStyle = colours.faint;
      pen.fillText(what, end, y + LANE / 2);
      if (index && lanes[index - 1].subject === subject) return;
      pen.fillStyle = colours.text;
      pen.fillText(shortened(pen, name, end - 14), 8, y + LANE / 2);
    }

    function shortened(pen, text, room) {
      if (pen.measureText(text.slice(0, 200)).width <= room) return text.slice(0, 200);
      let low = 0, high = Math.min(text.length, 200);
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (pen.measureText(text.slice(0, middle) + "…").width <= room) low = middle; else high = middle - 1;
      }
      return low ? text.slice(0, low) + "…" : "";
    }

    function drawLane(pen, { track, items, bands }, y, wide) {
      pen.fillStyle = colours.line;
      pen.fillRect(GUTTER, y + LANE - 1, wide, 1);
      for (let index = Math.max(0, firstAt(bands, GUTTER) - 1); index < bands.length; index++) {
        const x = Math.max(GUTTER, xOf(bands[index])), end = index + 1 < bands.length ? xOf(bands[index + 1]) : wide;
        if (x > wide) break;
        const colour = bandColour(track, bands[index]);
        if (!colour || end < x) continue;
        pen.globalAlpha = 0.35;
        pen.fillStyle = colours[colour];
        pen.fillRect(x, y + 4, Math.max(1, end - x), LANE - 9);
        pen.globalAlpha = 1;
        if (track !== CONTENT && end - x > 40) label(pen, bands[index][TEXT], x + 3, y, end - x - 6);
      }
      // A bar may begin before what is visible.
      const bars = track === REQUESTS || track === TRANSITIONS;
      let last = -9, lastTone = -1;
      for (let index = bars ? 0 : firstAt(items, GUTTER - 3); index < items.length; index++) {
        const entry = items[index], x = xOf(entry);
        if (x > wide + 3) break;
        const end = bars ? endOf.get(entry[NUMBER]) : null;
        const isOpen = bars && !end && entry[BEGINS];
        if (end || isOpen) {
          const stop = end ? xOf(end) : wide;
          if (stop >= GUTTER) {
            pen.fillStyle = colours[end ? TONES[end[TONE]] : "running"];
            pen.globalAlpha = 0.6;
            pen.fillRect(x, y + 5, Math.max(1, stop - x), LANE - 11);
            pen.globalAlpha = 1;
          }
        }
        // Many in one place are one mark.
        if (x < GUTTER - 3 || x - last < 1 && entry[TONE] <= lastTone) continue;
        [last, lastTone] = [x, entry[TONE]];
        pen.fillStyle = colours[TONES[entry[TONE]]];
        pen.fillRect(x - 1, y + 3, 2, LANE - 7);
      }
    }

    function bandColour(track, entry) {
      if (track === CONTENT) return entry[KIND] & 8 ? "failure" : entry[KIND] & 16 ? "stale" : entry[KIND] & 4 ? "success" : null;
      if (track === STATUS) return { "status error": "failure", "status data": "success", "status loading": "running" }[entry[TEXT]] ?? "plain";
      return "plain";
    }

    function label(pen, text, x, y, room) {
      pen.save();
      pen.beginPath();
      pen.rect(x, y, room, LANE);
      pen.clip();
      pen.fillStyle = colours.text;
      pen.fillText(text.replace(/^status |^children: /, ""), x, y + LANE / 2);
      pen.restore();
    }

    const laneIndex = new Map(lanes.map((each, index) => [each, index]));
    const place = (entry, top) => [xOf(entry), AXIS + laneIndex.get(laneOf(entry)) * LANE - top + LANE / 2];

    function drawSelection(pen, top, high) {
      const entry = at(selected);
      if (!entry) return;
      pen.strokeStyle = pen.fillStyle = colours.chosen;
      pen.fillRect(xOf(entry), AXIS, 1, high);
      pen.beginPath();
      pen.moveTo(...place(entry, top));
      for (const number of causesOf(selected).slice(0, 50)) if (at(number)) pen.lineTo(...place(at(number), top));
      pen.stroke();
      const [x, y] = place(entry, top);
      pen.beginPath();
      pen.arc(x, y, 5, 0, 7);
      pen.fill();
    }

    function drawAxis(pen, wide) {
      pen.fillStyle = colours.back;
      pen.fillRect(0, 0, wide, AXIS);
      pen.fillStyle = colours.faint;
      if (byOrder) { pen.fillText("in order", GUTTER, AXIS / 2); return; }
      // Of 1, 2 and 5 with zeros the smallest step whose labels have room; microseconds.
      const perPixel = length / width();
      const text = (time, step) => `${(time / 1e6).toFixed(Math.max(0, 6 - Math.floor(Math.log10(step))))} s`;
      const room = step => pen.measureText(text(start + length, step)).width + 14;
      let step = 1;
      for (let number = 0; step < room(step) * perPixel; number++) step *= [2, 2.5, 2][number % 3];
      const from = Math.max(0, Math.ceil(lanesView.scrollLeft * perPixel / step));
      for (let mark = from; mark < from + 200; mark++) {
        const x = GUTTER + mark * step / perPixel - lanesView.scrollLeft;
        if (x > wide) break;
        pen.fillRect(x, AXIS - 4, 1, 4);
        const label = text(start + mark * step, step);
        if (x + pen.measureText(label).width < wide) pen.fillText(label, x + 2, AXIS / 2);
      }
    }

    function showInLanes() {
      const entry = at(selected);
      if (!entry) return;
      const x = xOf(entry), y = AXIS + laneIndex.get(laneOf(entry)) * LANE;
      if (x < GUTTER + 8 || x > lanesView.clientWidth - 8)
        lanesView.scrollLeft = fraction(entry) * width() - (lanesView.clientWidth - GUTTER) / 2;
      if (y < lanesView.scrollTop + AXIS || y + LANE > lanesView.scrollTop + lanesView.clientHeight)
        lanesView.scrollTop = y - lanesView.clientHeight / 2;
    }

    function zoomBy(factor) {
      const most = Math.max(1, 8e6 / Math.max(1, lanesView.clientWidth));
      zoom = factor ? Math.min(most, Math.max(1, zoom * factor)) : 1;
      room.style.width = `${GUTTER + width() + 16}px`;
      const entry = at(selected);
      if (entry) lanesView.scrollLeft = fraction(entry) * width() - (lanesView.clientWidth - GUTTER) / 2;
      schedule();
    }

    // MARK: What a person does

    let isScheduled = false;
    function schedule() {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => { isScheduled = false; draw(); });
    }
    function draw() {
      drawList();
      drawLanes();
      canvas.setAttribute("aria-label", `${lanes.length} lanes of ${subjects.length} subjects. Selected: `
        + (at(selected) ? words(at(selected)) : "nothing"));
    }

    list.addEventListener("scroll", schedule);
    lanesView.addEventListener("scroll", schedule);
    addEventListener("resize", schedule);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); schedule(); });
    $("search").addEventListener("input", event => search(event.target.value));
    $("larger").onclick = () => zoomBy(2);
    $("smaller").onclick = () => zoomBy(1 / 2);
    $("all").onclick = () => zoomBy(0);
    $("order").onclick = event => {
      byOrder = !byOrder;
      event.target.setAttribute("aria-pressed", byOrder);
      showInLanes();
      schedule();
    };
    rows.addEventListener("click", event => {
      const row = event.target.closest("[role=option]");
      if (row) select(Number(row.dataset.number));
    });
    canvas.addEventListener("click", event => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const items = lanes[Math.floor((y - AXIS + lanesView.scrollTop) / LANE)]?.items ?? [];
      const after = firstAt(items, x);
      const near = [items[after - 1], items[after]].filter(Boolean).sort((a, b) => Math.abs(xOf(a) - x) - Math.abs(xOf(b) - x));
      if (near.length) select(near[0][NUMBER], true);
    });
    const step = by => {
      const here = indexIn(selected);
      const next = shown[Math.min(shown.length - 1, Math.max(0, here + by))];
      if (next) select(next[NUMBER]);
    };
    addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target === $("search");
      if (isTyping && event.key !== "Escape" && event.key !== "ArrowDown") return;
      if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
      const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
      const actions = {
        ArrowDown: () => { if (isTyping) list.focus(); step(isTyping ? 0 : 1); }, ArrowUp: () => step(-1),
        PageDown: () => step(page), PageUp: () => step(-page),
        Home: () => step(-shown.length), End: () => step(shown.length),
        ArrowLeft: () => { lanesView.scrollLeft -= 80; }, ArrowRight: () => { lanesView.scrollLeft += 80; },
        c: () => { const cause = at(selected)?.[CAUSE]; if (cause) select(cause); },
        e: () => { const effect = effects.get(selected)?.[0]; if (effect) select(effect); },
        "+": () => zoomBy(2), "=": () => zoomBy(2), "-": () => zoomBy(1 / 2), 0: () => zoomBy(0),
        "/": () => $("search").focus(),
        Escape: () => { $("search").value = ""; search(""); list.focus(); },
      };
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
      if (!action) return;
      event.preventDefault();
      action();
    });

    readColours();
    $("legend").open = innerWidth > 640;
    GUTTER = gutter();
    count();
    describe();
    draw();
    reveal();
    showInLanes();
    draw();
    document.documentElement.dataset.drawn = Math.round(performance.now());
    })();

    """#
}
