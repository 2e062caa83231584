import { once } from 'node:events'
import type { Writable } from 'node:stream'

/**
 * Passes chunks on to a client as fast as the client reads them. It ends the source when the client has gone.
 * @returns when the client has everything, or has gone
 */
export async function passOn(source: AsyncIterable<Uint8Array>, client: Writable): Promise<void> {
  const gone = new AbortController()
  client.once('close', () => gone.abort())
  for await (const chunk of source) {
    if (client.destroyed) return
    if (client.write(chunk)) continue
    await once(client, 'drain', { signal: gone.signal }).catch(() => {})
  }
  client.end()
}
