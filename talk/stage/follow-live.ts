import { setTimeout as delay } from 'node:timers/promises'
import type { LiveMessage, Update } from '../../apm-agent/live/update.ts'

const RETRY_MS = 1000

/**
 * Follows the updates of apm-agent, as the live page does, until the signal is aborted. Updates that were missed are not
 * asked for.
 * @param url base URL of apm-agent
 */
export async function followLive(
  url: string,
  onUpdate: (update: Update) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await fetch(`${url}/live/events?after=${Date.now()}`, { signal })
      for await (const message of messagesOf(body as AsyncIterable<Uint8Array>))
        if (message.kind === 'update') onUpdate(message.update)
    } catch {
      // apm-agent is being restarted, or the stage ends.
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

/** The messages of a stream of server-sent events, each of which has one line of data. */
async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<LiveMessage> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = events.pop() as string
    for (const event of events) yield JSON.parse(event.slice('data: '.length))
  }
}
