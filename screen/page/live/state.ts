import type { ConnectionState } from '../connection.ts'
import { setText } from '../dom.ts'

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

  get isLive(): boolean {
    return document.documentElement.dataset.state === 'live'
  }

  show(state: ConnectionState): void {
    document.documentElement.dataset.state = state
    setText(this.#element, words[state])
  }
}
