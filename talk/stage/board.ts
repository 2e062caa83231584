import type { ServerResponse } from 'node:http'
import { compareSteps } from './comparison.ts'
import type { Comparison, Second, StageMessage } from './protocol.ts'

const MAX_VIEWERS = 64
/** A quarter of an hour. */
const MAX_SECONDS = 900
/** A page that has not read this much is closed. It connects again, and gets the present state. */
const MAX_UNREAD_BYTES = 2 ** 20

type Kind = StageMessage['kind']

/** Keeps the last message of each kind and all seconds, and sends them to open pages. */
export class Board {
  readonly #last = new Map<Kind, StageMessage>()
  readonly #viewers = new Set<ServerResponse>()
  #seconds: readonly Second[] = []

  get seconds(): readonly Second[] {
    return this.#seconds
  }

  /** The last message of a kind; undefined if there was none. */
  last<K extends Kind>(kind: K): Extract<StageMessage, { kind: K }> | undefined {
    return this.#last.get(kind) as Extract<StageMessage, { kind: K }> | undefined
  }

  /** Tells all pages. Seconds are followed by the comparisons that they allow. */
  tell(message: StageMessage): void {
    if (message.kind === 'seconds') this.#seconds = [...this.#seconds, ...message.seconds].slice(-MAX_SECONDS)
    else this.#last.set(message.kind, message)
    for (const viewer of this.#viewers) this.#write(viewer, message)
    if (message.kind === 'seconds') this.tell({ kind: 'comparisons', comparisons: this.#compare() })
  }

  /** Forgets the seconds, as a replay does that begins again. A page forgets them when it gets the setting. */
  clear(): void {
    this.#seconds = []
    const setting = this.last('setting')
    if (setting) this.tell(setting)
  }

  /** Opens a stream of events to a page. */
  watch(response: ServerResponse): void {
    if (this.#viewers.size >= MAX_VIEWERS) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    this.#viewers.add(response)
    response.once('close', () => this.#viewers.delete(response))
    for (const message of this.#last.values()) this.#write(response, message)
    this.#write(response, { kind: 'seconds', seconds: this.#seconds })
  }

  close(): void {
    for (const viewer of this.#viewers) viewer.end()
  }

  #compare(): Comparison[] {
    const steps = this.last('setting')?.setting.steps ?? []
    return compareSteps(
      steps.map(({ number }) => number),
      this.#seconds,
    )
  }

  #write(viewer: ServerResponse, message: StageMessage): void {
    viewer.write(`data: ${JSON.stringify(message)}\n\n`)
    if (viewer.writableLength > MAX_UNREAD_BYTES) viewer.destroy()
  }
}
