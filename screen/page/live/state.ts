import type { ConnectionState } from '../connection.ts'

/** The next sample of a load test starts within this time. */
const NEXT_WITHIN_MS = 30_000

const words: Readonly<Record<ConnectionState, string>> = {
  live: 'Live',
  silent: 'No app is reporting',
  stalled: 'apm-agent does not respond',
  lost: 'No connection to apm-agent',
  full: 'Too many live pages are open',
}

/**
 * Shows whether the figures are current. Screen readers announce each change, so the text changes only when necessary.
 */
export class State {
  readonly #element = document.querySelector('#connection') as HTMLElement
  #liveAtMs = performance.now()
  /** The text to show when apm-agent ends as expected; empty if no end is expected. */
  next = ''

  get isLive(): boolean {
    return document.documentElement.dataset.state === 'live'
  }

  show(state: ConnectionState): void {
    if (state === 'live') this.#liveAtMs = performance.now()
    const isBetween = this.next && (state === 'silent' || state === 'lost')
    const isNext = isBetween && performance.now() - this.#liveAtMs < NEXT_WITHIN_MS
    const text = isNext ? `${this.next[0]?.toUpperCase()}${this.next.slice(1)}` : words[state]
    document.documentElement.dataset.state = isNext ? 'next' : state
    if (this.#element.textContent !== text) this.#element.textContent = text
  }
}
