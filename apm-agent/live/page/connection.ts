import type { LiveMessage } from '../update.ts'

/** apm-agent says something every two seconds at least. */
const STALLED_AFTER_MS = 5000
const RETRY_MS = 1000

export type ConnectionState = 'live' | 'silent' | 'stalled' | 'lost' | 'full'

interface ConnectionOptions {
  /** The time of the last update that is known. */
  lastMs(): number
  onMessage(message: LiveMessage): void
  onState(state: ConnectionState): void
}

/**
 * Stays connected to apm-agent: when it is gone, or says nothing any more, the connection is made anew, and asks for what
 * was missed. EventSource tries again by itself, but not after every failure, and does not see that nothing comes.
 */
export function stayConnected({ lastMs, onMessage, onState }: ConnectionOptions): void {
  let source: EventSource
  let watchdog: ReturnType<typeof setTimeout>

  function connect(): void {
    source = new EventSource(`/live/events?after=${lastMs()}`)
    source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
    source.addEventListener('error', () => again('lost'))
    watch()
  }

  function take(message: LiveMessage): void {
    if (message.kind === 'full') return again('full')
    watch()
    if (message.kind === 'again') {
      source.close()
      return connect()
    }
    onMessage(message)
    if (message.kind !== 'history') onState(message.kind === 'silence' ? 'silent' : 'live')
  }

  function watch(): void {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => again('stalled'), STALLED_AFTER_MS)
  }

  function again(state: ConnectionState): void {
    clearTimeout(watchdog)
    source.close()
    onState(state)
    setTimeout(connect, RETRY_MS)
  }

  connect()
}
