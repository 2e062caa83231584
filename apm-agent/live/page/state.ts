import type { ConnectionState } from './connection.ts'

/** A load test's next sample takes less to start. */
const NEXT_WITHIN_MS = 30_000

const words: Readonly<Record<ConnectionState, string>> = {
  live: 'Live',
  silent: 'No app is reporting',
  stalled: 'apm-agent does not respond',
  lost: 'No connection to apm-agent',
  full: 'Too many live pages are open',
}

/** Shows whether what the page says is of now. Said aloud, so only when it changes. */
export class State {
  readonly #element = document.querySelector('#connection') as HTMLElement
  #liveAtMs = performance.now()
  /** What is normal when apm-agent goes; empty where nothing is. */
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
