import type { ServerResponse } from 'node:http'
import type { LiveMessage } from './update.ts'

const MAX_VIEWERS = 64
/** Room for a history of ten minutes, which has about 1 KB an update, and more where there are many threads. */
const MAX_WAITING_BYTES = 8 * 2 ** 20

/**
 * The pages that watch, by server-sent events. A message is serialized once for all of them. One that does not read is
 * disconnected before it holds much memory; it comes back by itself, and asks for what it has missed.
 */
export class Viewers {
  readonly #responses = new Set<ServerResponse>()

  get areThere(): boolean {
    return this.#responses.size > 0
  }

  get isFull(): boolean {
    return this.#responses.size >= MAX_VIEWERS
  }

  /** @param first is for this one alone */
  add(response: ServerResponse, first: LiveMessage): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(serialize(first))
    this.#responses.add(response)
    response.once('close', () => this.#responses.delete(response))
  }

  tell(message: LiveMessage): void {
    if (!this.areThere) return
    const event = serialize(message)
    for (const response of this.#responses) {
      if (response.writableLength + event.length > MAX_WAITING_BYTES) response.destroy()
      else response.write(event)
    }
  }

  close(): void {
    for (const response of this.#responses) response.end()
  }
}

const serialize = (message: LiveMessage): string => `data: ${JSON.stringify(message)}\n\n`
