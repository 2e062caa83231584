import type { StreamMessage } from '../live-messages.ts'

/** The server sends a message at least every two seconds. */
const STALLED_AFTER_MS = 5000
const RETRY_MS = 1000

export type ConnectionState = 'live' | 'silent' | 'stalled' | 'lost' | 'full'

/**
 * Stays connected to the server of the page. When it has gone or is silent, the page connects again and requests what it
 * missed. EventSource connects again by itself, but not after every failure, and it does not notice silence.
 * @param onState called with `live` for each message; other states of it are the layout's to tell
 */
export function stayConnected<Message extends { readonly kind: string }>(
  onMessage: (message: Message | StreamMessage) => void,
  onState: (state: 'stalled' | 'lost' | 'full') => void,
): void {
  let source: EventSource
  let watchdog: ReturnType<typeof setTimeout>
  let lastId = ''

  function connect(): void {
    source = new EventSource(`/events?after=${lastId}`)
    source.addEventListener('message', ({ data, lastEventId }) => {
      lastId = lastEventId
      const message: Message | StreamMessage = JSON.parse(data)
      if (message.kind === 'full') return again('full')
      watch()
      onMessage(message)
    })
    source.addEventListener('error', () => again('lost'))
    watch()
  }

  function watch(): void {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => again('stalled'), STALLED_AFTER_MS)
  }

  function again(state: 'stalled' | 'lost' | 'full'): void {
    clearTimeout(watchdog)
    source.close()
    onState(state)
    setTimeout(connect, RETRY_MS)
  }

  connect()
}
