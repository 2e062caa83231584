import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { Sort } from './page/query.ts'
import { comparators, matches, type OrderKeys } from './page/selection.ts'
import { TOOLBAR_ID, Toolbar, type ToolbarProps } from './page/toolbar.tsx'

/**
 * The code that runs in the browser. Only the toolbar is hydrated; the cards of the server stay, and are shown, hidden
 * and moved.
 */
const toolbar = await whenParsed(TOOLBAR_ID, 'orders')
const props: ToolbarProps = JSON.parse(document.getElementById(`${TOOLBAR_ID}-props`)?.textContent ?? '')

hydrateRoot(toolbar, <Island />)
// Cards that arrived after a choice of the user do not follow it yet. The recommendations, which come later, may be slow.
void whenParsed('orders', 'recommendations-heading').then(followChoice)

function Island() {
  useEffect(() => {
    performance.mark('hydrated')
    // Choices that the user made before this script ran caused no event.
    followChoice()
  }, [])
  return <Toolbar {...props} onChoice={applyChoice} />
}

/**
 * Waits for an element. This script may run before the page has arrived completely; the element is complete once the
 * one with the id `next`, which follows it, exists.
 */
function whenParsed(id: string, next: string): Promise<HTMLElement> {
  const find = () => (document.getElementById(next) ? document.getElementById(id) : null)
  return new Promise(resolve => {
    const observer = new MutationObserver(look)
    look()
    function look() {
      const found = find()
      if (!found) return observer.observe(document, { childList: true, subtree: true })
      observer.disconnect()
      resolve(found)
    }
  })
}

/** Applies the choice by an event, so that the toolbar updates its count too. */
function followChoice(): void {
  const form = toolbar.querySelector('form') as HTMLFormElement
  const chosen = new FormData(form)
  const isAsServed = Object.entries(props.query).every(([name, value]) => chosen.get(name) === String(value))
  if (!isAsServed) form.dispatchEvent(new Event('input', { bubbles: true }))
}

function applyChoice(form: HTMLFormElement): number {
  const chosen = new FormData(form)
  const url = new URLSearchParams(chosen as unknown as Record<string, string>)
  history.replaceState(null, '', `?${url}`)
  document.documentElement.dataset.theme = String(chosen.get('theme'))
  return selectCards(chosen)
}

/** @returns the number of cards that are shown */
function selectCards(chosen: FormData): number {
  const list = document.getElementById('orders') as HTMLElement
  const wanted = { status: String(chosen.get('status')), search: String(chosen.get('search')) }
  const cards = [...list.querySelectorAll<HTMLElement>('.order')].map(card => ({
    card,
    keys: readKeys(card),
  }))
  const compare = comparators[chosen.get('sort') as Sort]
  cards.sort((a, b) => compare(a.keys, b.keys))
  let shown = 0
  for (const { card, keys } of cards) {
    card.hidden = !matches(keys, wanted)
    if (!card.hidden) shown++
  }
  list.append(...cards.map(({ card }) => card), ...list.querySelectorAll('.fallback'))
  return shown
}

function readKeys(card: HTMLElement): OrderKeys {
  const read = (selector: string) => card.querySelector(selector)?.textContent ?? ''
  return {
    id: Number(card.dataset.id),
    customer: read('.customer'),
    city: read('.city'),
    product: read('.product').replace(/^\d+ x /, ''),
    status: read('.status'),
    placedAt: card.querySelector('time')?.dateTime ?? '',
    total: Number(card.dataset.total),
  }
}
