// SPDX-License-Identifier: MIT
let style = """
  :root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a3f47); --soft: light-dark(#667, #a4abb8); --accent: light-dark(#0b57c4, #8ab8ff); }
  * { box-sizing: border-box } body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem; background: light-dark(#fff, #17191d); color: light-dark(#1c1e22, #e8eaee) }
  header, footer form { display: flex; gap: 1rem; align-items: center; flex-wrap: wrap } header { padding: 1rem 0; justify-content: space-between; border-bottom: 1px solid var(--line) }
  a { color: var(--accent); text-decoration: none } main { display: grid; grid-template-columns: 3fr 2fr; gap: 2rem; min-height: 60vh; padding: 1rem 0 } @media (max-width: 45rem) { main { grid-template-columns: 1fr } }
  ul { list-style: none; margin: 0; padding: 0 } #list li { display: flex; align-items: center; border-bottom: 1px solid var(--line) } #list li a { flex: 1; padding: .45rem .3rem; color: inherit; overflow-wrap: anywhere } #list i { display: inline-block; width: 1.2rem; font-style: normal; color: var(--soft) } li[aria-current] { background: light-dark(#e9f1ff, #22314a) } small { color: var(--soft); margin-left: .7rem }
  button, input, textarea { font: inherit; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: transparent; color: inherit } button { cursor: pointer } textarea { display: block; width: 100%; margin: .3rem 0 } .star { border: 0; color: light-dark(#a66300, #ffc34d); font-size: 1.2rem } :focus-visible { outline: 2px solid var(--accent) }
  pre { overflow: auto; background: light-dark(#f4f6f8, #101215); padding: .7rem; border-radius: .4rem; font-size: .8rem } .empty, .loading, #status { color: var(--soft) } .problem { color: light-dark(#a3180f, #ff9d94) } footer { border-top: 1px solid var(--line); padding: .5rem 0 2rem; font-size: .9rem } #journal ol { font: .75rem/1.5 monospace; max-height: 18rem; overflow: auto; list-style: none; padding: 0 }
  """

let script = """
  const w = document.body.dataset.visitor;
  const events = new EventSource('/events?w=' + w);
  events.onmessage = ({ data }) => {
    for (const [id, html] of Object.entries(JSON.parse(data))) {
      const region = document.getElementById(id), active = document.activeElement;
      const key = region.contains(active) && (active.id ? '#' + active.id : active.ariaLabel && `[aria-label="${CSS.escape(active.ariaLabel)}"]`);
      const text = key && active.value;
      region.innerHTML = html;
      const again = key && region.querySelector(key);
      if (again) { again.focus(); if (again.tagName === 'TEXTAREA') again.value = text; }
    }
  };
  const go = (url) => fetch(url, { headers: { 'X-Live': '1' } }).then(r => { if (!r.ok) location = '/'; });
  const show = (url) => { history.pushState(null, '', url); go(url); };
  addEventListener('popstate', () => { q.value = new URLSearchParams(location.search).get('q') || ''; go(location.search ? location.href : '/?w=' + w); });
  addEventListener('click', e => { const a = e.target.closest('a'); if (a && !e.ctrlKey && !e.metaKey && !e.shiftKey) { e.preventDefault(); q.value = new URL(a.href).searchParams.get('q') || ''; show(a.href); } });
  addEventListener('submit', e => { e.preventDefault(); if (e.target.id === 'search') return show('/?' + new URLSearchParams(new FormData(e.target)));
    fetch('/do', { method: 'POST', body: new URLSearchParams(new FormData(e.target)), headers: { 'X-Live': '1' } }); });
  const q = document.getElementById('q');
  q.addEventListener('input', () => { const url = new URL(location.href); url.searchParams.set('w', w); url.searchParams.set('q', q.value); history.replaceState(null, '', url); go(url); });
  addEventListener('scroll', () => { const more = document.getElementById('more'); if (more && !more.disabled && more.getBoundingClientRect().top < innerHeight + 300) { more.disabled = true; more.form.requestSubmit(); } });
  """
