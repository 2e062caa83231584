import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { LiveMessage, Update } from '../../screen/live-messages.ts'

const RETRY_MS = 1000

/**
 * Follows the stream of apm-agent until the signal is aborted. Updates that were missed are not asked for.
 * @param url base URL of apm-agent
 */
export async function followAgent(
  url: string,
  onUpdate: (update: Update) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await fetch(`${url}/events?after=${Date.now()}`, { signal })
      for await (const line of createInterface({ input: Readable.fromWeb(body as never) })) {
        const message: LiveMessage | undefined = /^data: /.test(line) ? JSON.parse(line.slice(6)) : undefined
        if (message?.kind === 'update') onUpdate(message.update)
      }
    } catch {
      // apm-agent is being restarted, or the stage ends.
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}
