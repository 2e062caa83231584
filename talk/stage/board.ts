import type { ServerResponse } from 'node:http'
import { compareSteps, compareWithBefore } from './comparison.ts'
import type { Second, StageMessage } from './protocol.ts'

const MAX_VIEWERS = 64
/** Three quarters of an hour. */
const MAX_SECONDS = 2700
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

  /** Tells all pages. Seconds, and a change of what is shown, are followed by the comparisons that they allow. */
  tell(message: StageMessage): void {
    if (message.kind === 'seconds') this.#seconds = [...this.#seconds, ...message.seconds].slice(-MAX_SECONDS)
    else this.#last.set(message.kind, message)
    for (const viewer of this.#viewers) this.#write(viewer, message)
    if (message.kind === 'seconds' || message.kind === 'state') this.tell(this.#compare())
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

  /** Only seconds in which the load asked for the same are compared. */
  #compare(): StageMessage {
    const steps = this.last('setting')?.setting.steps ?? []
    const state = this.last('state')?.state
    const seconds = this.#seconds.filter(({ scenario }) => scenario === state?.scenario)
    const comparisons = compareSteps(
      steps.map(({ number }) => number),
      seconds,
    )
    return { kind: 'comparisons', comparisons, now: state ? compareWithBefore(state.step, seconds) : null }
  }

  #write(viewer: ServerResponse, message: StageMessage): void {
    viewer.write(`data: ${JSON.stringify(message)}\n\n`)
    if (viewer.writableLength > MAX_UNREAD_BYTES) viewer.destroy()
  }
}
