// SPDX-License-Identifier: MIT
// What a person types or clicks is kept here, also through a reload, until the server has said that it has it: `typed` by
// the id of its field, with the text that it was typed over, `queue` in order, commands and places, and `sent`, by the id of its
// field, what the server has, and the page does not display yet.
const kept = { typed: {}, queue: [], sent: {}, ...JSON.parse(sessionStorage.kept ?? '{}') }
const byId = id => document.getElementById(id)
const { q, line, rows } = Object.fromEntries(['q', 'line', 'rows'].map(id => [id, byId(id)]))

// One window is one session. A duplicated tab has a copy of what is stored, but not the lock of the other one.
const page = document.body.dataset.visitor
let w = sessionStorage.w ?? page
const lock = (name, signal) => new Promise((got, failed) =>
  navigator.locks.request(name, { signal }, () => { got(); return new Promise(() => {}) }).catch(failed))
// A page that is loaded again may have to wait for its former self.
await lock(w, AbortSignal.timeout(1000)).catch(() => { kept.queue = []; w = page; return lock(w) })
sessionStorage.w = w

const keep = () => {
  try { sessionStorage.kept = JSON.stringify(kept) } catch { /* Too much for a reload is kept as long as the page is there. */ }
  display()
}

// Fields

const value = field => field.type === 'checkbox' ? field.checked : field.value
const saved = field => field.type === 'checkbox' ? field.defaultChecked : field.defaultValue
const fill = (field, value) => { if (field.type === 'checkbox') field.checked = value; else field.value = value }
const note = field => {
  if (!field.id || field === q) return
  if (value(field) === saved(field)) delete kept.typed[field.id]
  else kept.typed[field.id] = { base: kept.sent[field.id]?.text ?? saved(field), ...kept.typed[field.id], value: value(field) }
}
addEventListener('input', ({ target }) => {
  wanted = null
  if (target === q) return search()
  note(target)
  keep()
})
const restore = () => {
  for (const [id, { text, over }] of Object.entries(kept.sent)) {
    const field = byId(id)
    if (field && saved(field) === over) fill(field, text)
    else if (field) delete kept.sent[id]
  }
  for (const [id, { value }] of Object.entries(kept.typed)) {
    const field = byId(id)
    if (field && saved(field) === value) delete kept.typed[id]
    else if (field) fill(field, value)
  }
}
// The server has what was sent of a field.
const settle = ([id, sent]) => {
  const typed = kept.typed[id], field = byId(id)
  if (!typed) return
  // Until the page displays what was sent, more may be typed over it.
  const isDisplayed = field && saved(field) !== typed.base
  if (!isDisplayed) kept.sent[id] = { text: sent, over: typed.base }
  if (typed.value !== sent) return void (typed.base = sent)
  delete kept.typed[id]
  if (isDisplayed) fill(field, saved(field))
}

// The line to the server

let stream, retry, silence, isLost = false, isSending = false, refusal = ''
const place = () => { const { searchParams } = new URL(location); searchParams.delete('w'); return searchParams.toString() }
const connect = () => {
  clearTimeout(retry)
  stream?.close()
  // The stream begins at the address. A place that waits would be displayed after it, and left again.
  if (!isSending) kept.queue = kept.queue.filter(entry => entry.body !== undefined)
  stream = new EventSource(`/events?w=${w}&page=${page}&${place()}`)
  stream.onopen = () => { isLost = false; display(); send() }
  stream.onmessage = ({ data }) => { listen(); held.push(JSON.parse(data)); if (!isPressed) release() }
  stream.onerror = lose
  listen()
}
const lose = () => { isLost = true; stream.close(); clearTimeout(retry); retry = setTimeout(connect, 1000); display() }
// The server says something every ten seconds.
const listen = () => { clearTimeout(silence); silence = setTimeout(lose, 25_000) }
addEventListener('online', connect)

const ask = (url, body) => fetch(url, {
  method: body ? 'POST' : 'GET', body, cache: 'no-store', signal: AbortSignal.timeout(10_000),
  headers: { 'X-Live': '1', 'Content-Type': 'application/x-www-form-urlencoded' },
})
const send = async () => {
  if (isSending) return
  isSending = true
  try {
    while (kept.queue.length) {
      const [first] = kept.queue
      const answer = await ask(first.body === undefined ? `/?w=${w}&${first.place}` : '/do', first.body && `w=${w}&${first.body}`)
      if (answer.status === 410) return void (isSending = false, connect())  // The session has ended. The stream begins the next one.
      kept.queue.shift()
      if (answer.ok) Object.entries(first.typed ?? {}).forEach(settle)
      // The page is drawn again, as it is without what was refused.
      else { refusal = `Not done: ${await answer.text() || answer.statusText}`; connect() }
      keep()
    }
  } catch { lose() } finally { isSending = false }
}
const queue = entry => { kept.queue.push(entry); refusal = ''; keep(); send() }

// Places

// The id of what was opened, which is given the focus when it is there.
let wanted
const part = (url, name) => new URL(url, location).searchParams.get(name) ?? ''
let shown = location.href
const go = (url, isStep) => {
  if (isStep) history.pushState(null, '', url)
  const is = name => part(shown, name) === part(location, name), file = part(location, 'file')
  wanted = file && !is('file') ? 'd:' + file
    : !is('folder') || !is('q') ? (part(location, 'q') ? 'h?' + part(location, 'q') : 'h:' + part(location, 'folder'))
    : is('file') ? null : 'a:' + part(shown, 'file')
  shown = location.href
  q.value = part(location, 'q')
  say()
}
const say = () => {
  // Only the last place counts, but for one that is on its way.
  if (kept.queue.length > 1 && kept.queue.at(-1).body === undefined) kept.queue.pop()
  queue({ place: place() })
  focus()
}
addEventListener('popstate', () => go())
addEventListener('click', event => {
  const link = event.target.closest('a')
  if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const url = new URL(link.href)
  url.searchParams.delete('w')
  go(url, true)
})
const search = () => {
  const url = new URL(location), isFirst = !part(url, 'q')
  url.searchParams.delete('w')
  url.searchParams.set('q', q.value)
  // One step back leaves the search, however much was typed.
  if (isFirst) history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  shown = location.href
  say()
}
addEventListener('submit', event => {
  event.preventDefault()
  const { target: form, submitter } = event
  if (form.id === 'search') return search()
  const body = new URLSearchParams(new FormData(form, submitter)), typed = {}
  body.delete('w')
  body.set('key', crypto.randomUUID())
  for (const { id, type } of form.elements) {
    if (!(id in kept.typed)) continue
    typed[id] = kept.typed[id].value
    // What waits to be sent is what the next text is written over.
    if (type === 'textarea') body.set('base', kept.queue.findLast(e => id in (e.typed ?? {}))?.typed[id] ?? kept.typed[id].base)
  }
  if (body.toString().length > 900_000) { refusal = 'Not done: this text is too long.'; return display() }
  queue({ body: body.toString(), typed })
})
addEventListener('scroll', () => {
  const more = byId('more')
  if (!more || more.dataset.isAsked || more.getBoundingClientRect().top > innerHeight + 300) return
  more.click()
  more.dataset.isAsked = 1
})

// The page

const focus = () => {
  byId(wanted)?.focus()
  if (document.activeElement.id === wanted) wanted = null
}
// A click needs its element until it is released: what would replace that waits, at most for a second.
let isPressed = false, held = [], limit
const release = () => { isPressed = false; clearTimeout(limit); held.splice(0).forEach(apply) }
const press = () => { [isPressed, wanted] = [true, null]; clearTimeout(limit); limit = setTimeout(release, 1000) }
for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, press, true)
for (const kind of ['keyup', 'pointerup', 'pointercancel', 'blur']) addEventListener(kind, () => setTimeout(release))
addEventListener('keydown', ({ key, target, isComposing }) => {
  if (key === 'Escape' && !isComposing && target.closest('#file')) byId('close')?.click()
})

// Regions by id, and rows that take the place of others. The focus stays where it was, or near.
const apply = patch => {
  const active = document.activeElement, range = [active.selectionStart, active.selectionEnd]
  const near = active.closest('#file, #list')
  for (const [id, html, at, removed] of patch) {
    if (at === undefined) { byId(id).innerHTML = html; continue }
    for (const row of [...rows.children].slice(at, at + removed)) row.remove()
    if (rows.children[at]) rows.children[at].insertAdjacentHTML('beforebegin', html)
    else rows.insertAdjacentHTML('beforeend', html)
  }
  restore()
  localise()
  focus()
  display()
  if (active.isConnected || document.activeElement !== document.body) return
  const again = byId(active.id)
  if (!again) return (near?.querySelector('h1, h2') ?? document.querySelector('h1')).focus({ preventScroll: true })
  again.focus({ preventScroll: true })
  if (again.tagName === 'TEXTAREA') again.setSelectionRange(...range)
}

// Times as the reader writes them.
const localise = () => document.querySelectorAll('time').forEach(time => {
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })
})

// What only the browser knows: what waits here, and what is not saved.
const display = () => {
  const clicks = kept.queue.filter(entry => entry.body)
  for (const [on, path] of clicks.flatMap(entry => [...new URLSearchParams(entry.body)])) {
    const star = byId('s:' + path)
    if (!star || !['favourite', 'unfavourite'].includes(on)) continue
    star.name = on === 'favourite' ? 'unfavourite' : 'favourite'
    star.ariaPressed = on === 'favourite'
    star.textContent = on === 'favourite' ? '★' : '☆'
  }
  const field = document.querySelector('#noting textarea'), typed = kept.typed[field?.id]
  if (field) byId('unsaved').textContent = !typed ? ''
    : [saved(field), kept.sent[field.id]?.text].includes(typed.base) || clicks.some(entry => field.id in (entry.typed ?? {})) ? 'Not saved yet.'
    : `Saved elsewhere meanwhile: “${saved(field)}”. Save keeps both texts.`
  const waiting = clicks.length && isLost ? `${clicks.length} change${clicks.length > 1 ? 's are' : ' is'} kept here until then. ` : ''
  const paths = Object.keys(kept.typed).filter(id => id.startsWith('note:') && id !== field?.id).map(id => id.slice(5))
  const links = paths.map(path => {
    const link = document.createElement('a'), parts = path.split('/')
    link.textContent = parts.pop().replace(/[\p{Bidi_C}\p{Cc}]/gu, '�')
    link.href = '/?' + new URLSearchParams({ folder: parts.join('/'), file: path })
    return link
  })
  const text = (isLost ? 'The connection is lost. Trying again … ' : '') + waiting + refusal + (links.length ? ' Not saved: ' : '')
  if (line.textContent === text + links.map(link => link.textContent).join('')) return
  line.replaceChildren(text, ...links)
}

// A window that is closed takes with it what is kept.
addEventListener('beforeunload', event => {
  if (kept.queue.some(entry => entry.body) || Object.keys(kept.typed).some(id => id.startsWith('note:'))) event.preventDefault()
})

// What was typed before the script was there.
document.querySelectorAll('input, textarea').forEach(field => { if (!(field.id in kept.typed)) note(field) })
restore()
localise()
connect()
keep()
