// SPDX-License-Identifier: MIT
const w = document.body.dataset.visitor, q = document.getElementById('q')
const events = new EventSource('/events?w=' + w)
const lost = () => document.body.classList.add('lost')
const found = () => document.body.classList.remove('lost')
events.onopen = found
// The browser connects again by itself, unless the session has ended.
events.onerror = () => { lost(); if (events.readyState === 2) setTimeout(() => location.reload(), 1000) }

// Regions by id. The focus stays, and so does what is typed and not saved.
events.onmessage = ({ data }) => {
  const active = document.activeElement, range = [active.selectionStart, active.selectionEnd]
  const typed = [...document.querySelectorAll('textarea')].filter(t => t.value !== t.defaultValue)
  for (const [id, html] of JSON.parse(data)) document.getElementById(id).innerHTML = html
  for (const text of document.querySelectorAll('textarea')) {
    const former = typed.find(t => t.dataset.of === text.dataset.of)
    if (former) text.value = former.value
  }
  const again = active.id && !active.isConnected && document.getElementById(active.id)
  if (!again) return
  again.focus({ preventScroll: true })
  if (again.tagName === 'TEXTAREA') again.setSelectionRange(...range)
}

const check = answer => { found(); if (answer.status === 410) location.reload() }
const live = { 'X-Live': '1' }
const go = url => fetch(url, { headers: live }).then(check, lost)
const queryOf = url => new URL(url, location).searchParams.get('q') || ''

const show = () => {
  const url = new URL(location)
  url.searchParams.set('w', w)
  q.value = queryOf(url)
  go(url)
}
addEventListener('popstate', show)
// What could not be said before.
addEventListener('online', show)
addEventListener('click', event => {
  const link = event.target.closest('a')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  q.value = queryOf(link.href)
  history.pushState(null, '', link.href)
  go(link.href)
})

const search = () => {
  const url = new URL(location), isFirst = !queryOf(url)
  url.searchParams.set('w', w)
  url.searchParams.set('q', q.value)
  // One step back leaves the search, however much was typed.
  if (isFirst) history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  go(url)
}
q.addEventListener('input', search)
addEventListener('submit', event => {
  event.preventDefault()
  if (event.target.id === 'search') return search()
  const body = new URLSearchParams(new FormData(event.target, event.submitter))
  fetch('/do', { method: 'POST', body, headers: live }).then(check, lost)
})

addEventListener('scroll', () => {
  const more = document.getElementById('more')
  if (!more || more.disabled || more.getBoundingClientRect().top > innerHeight + 300) return
  more.click()
  more.disabled = true
})
