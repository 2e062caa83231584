import type { LiveMessage } from '../update.ts'

/** apm-agent sends a message at least every two seconds. */
const STALLED_AFTER_MS = 5000
const RETRY_MS = 1000

export type ConnectionState = 'live' | 'silent' | 'stalled' | 'lost' | 'full'

interface ConnectionOptions {
  /** The time of the last known update. */
  lastMs(): number
  onMessage(message: LiveMessage): void
  onState(state: ConnectionState): void
}

/**
 * Stays connected to apm-agent. When apm-agent has gone or is silent, it connects again and requests the missed
 * updates. EventSource connects again by itself, but not after every failure, and it does not notice silence.
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
