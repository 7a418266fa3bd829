// SPDX-License-Identifier: MIT
extension JournalPage {
  static let controls = """
    <p id="count"></p>
    <span><label for="search">Search</label>
    <input id="search" type="search" autocomplete="off" spellcheck="false" aria-controls="list" aria-keyshortcuts="/"></span>
    <div role="toolbar" aria-label="Time axis" aria-controls="lanes">
    <button id="smaller" aria-label="Smaller" aria-keyshortcuts="-">−</button>
    <button id="larger" aria-label="Larger" aria-keyshortcuts="+">+</button>
    <button id="all" aria-keyshortcuts="0">All</button>
    <button id="order" aria-pressed="false" title="Each entry is equally wide, whatever time is between">By order</button>
    </div>
    <details id="legend"><summary>Legend</summary>
    <ul>
    <li><i class="bar running"></i>running</li>
    <li><i class="bar success"></i>answered, or as it was meant</li>
    <li><i class="bar failure"></i>failed</li>
    <li><i class="bar ended"></i>cancelled or superseded</li>
    <li><i class="band success"></i>data with a value</li>
    <li><i class="band stale"></i>with a stale value</li>
    <li><i class="band failure"></i>with an error</li>
    <li><i class="mark plain"></i>an entry</li>
    <li><i class="mark warning"></i>a warning: it looks like a fault</li>
    <li><i class="chain"></i>the selected entry, and what led to it</li>
    </ul>
    </details>
    """

  static let parts = """
    <main>
    <section id="lanes" tabindex="0" aria-label="Lanes over time; the list below has the same entries">
    <div id="room"><canvas id="chart" role="img"></canvas></div>
    </section>
    <div id="lower">
    <div id="list" role="listbox" tabindex="0" aria-label="Entries"><div id="rows" role="presentation"></div></div>
    <section id="details" aria-label="Selected entry" aria-live="polite"></section>
    </div>
    </main>
    """

  static let style = """

    :root { color-scheme: light dark;
      --back: #fff; --text: #1d1d1f; --faint: #6e6e73; --line: #d2d2d7; --chosen: #0a58ca; --plain: #6e6e73;
      --success: #1a7f37; --failure: #c62828; --ended: #8a6d00; --warning: #b54708; --running: #0a58ca; --stale: #a8832c; }
    @media (prefers-color-scheme: dark) { :root {
      --back: #1c1c1e; --text: #f5f5f7; --faint: #a1a1a6; --line: #424245; --chosen: #6cb2ff; --plain: #a1a1a6;
      --success: #5bd67a; --failure: #ff7b72; --ended: #e0b94a; --warning: #ffab70; --running: #6cb2ff; --stale: #d9b45b; } }
    * { box-sizing: border-box; }
    body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: var(--back); color: var(--text);
      font: 14px/1.4 -apple-system, system-ui, sans-serif; }
    header { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 12px;
      border-bottom: 1px solid var(--line); }
    h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
    #count { margin: 0 auto 0 0; color: var(--faint); }
    header span { white-space: nowrap; }
    button, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line);
      border-radius: 6px; padding: 2px 8px; }
    button[aria-pressed=true] { border-color: var(--chosen); }
    :focus-visible { outline: 2px solid var(--chosen); outline-offset: 1px; }
    #legend { flex: 1 0 100%; font-size: 13px; color: var(--faint); } #legend summary { cursor: pointer; width: max-content; }
    #legend ul { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 4px 0 0; padding: 0; list-style: none; }
    #legend i { display: inline-block; vertical-align: -1px; margin-right: 6px; width: 22px; height: 10px;
      background: var(--mark); opacity: .6; }
    #legend .band { opacity: .35; } #legend .mark { width: 2px; height: 13px; vertical-align: -2px; opacity: 1; }
    #legend .chain { height: 2px; vertical-align: 3px; background: var(--chosen); opacity: 1; }
    .running { --mark: var(--running); } .success { --mark: var(--success); } .failure { --mark: var(--failure); }
    .ended { --mark: var(--ended); } .stale { --mark: var(--stale); } .plain { --mark: var(--plain); }
    .warning { --mark: var(--warning); }
    main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
    #lanes { flex: none; max-height: 45%; overflow: auto; position: relative; border-bottom: 1px solid var(--line); }
    #room { position: relative; } canvas { position: sticky; top: 0; left: 0; display: block; }
    #lower { flex: 1; min-height: 0; display: flex; }
    #list { flex: 3 1 320px; overflow: auto; position: relative; font: 13px/22px ui-monospace, Menlo, monospace; }
    #rows { position: absolute; left: 0; right: 0; }
    [role=option] { height: 22px; padding: 0 12px; white-space: pre; overflow: hidden; text-overflow: ellipsis;
      cursor: default; }
    [role=option][aria-selected=true] { background: color-mix(in srgb, var(--chosen) 22%, transparent); }
    .tone1 { color: var(--success); } .tone2 { color: var(--failure); } .tone3 { color: var(--ended); }
    .tone4 { color: var(--warning); font-weight: bold; }
    #details { flex: 2 1 280px; overflow: auto; padding: 8px 12px; border-left: 1px solid var(--line); }
    #details h2 { font-size: 14px; margin: 8px 0 4px; overflow-wrap: anywhere; } #details ol { margin: 0; padding: 0;
      list-style: none; }
    #details li button { display: block; width: 100%; text-align: start; border: 0; overflow-wrap: anywhere; }
    @media (max-width: 640px) {
      #lanes { max-height: 34%; } #lower { flex-flow: column; } #list, #details { flex: 1 1 0; min-height: 0; }
      #details { border-left: 0; border-top: 1px solid var(--line); } }

    """
}
