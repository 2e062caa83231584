import type { ServerResponse } from 'node:http'
import type { Portion } from './history.ts'
import type { LiveMessage } from './update.ts'

export const MAX_VIEWERS = 64
/** A page that has not read its messages within this time is treated as closed. */
const DRAIN_LIMIT_MS = 10_000
/** After this time a page has to connect again, so that a page that vanished silently does not keep its seat. */
const SEAT_MS = 120_000

interface Source {
  /** The updates after a time. */
  after(atMs: number): Portion
  /** The message for a portion of updates. */
  describe(portion: Portion): string
  /** A clock that does not count pauses of this process. */
  nowMs(): number
}

/** An open page. It gets as many updates as it has room for, and the others once it has read those. */
interface Viewer {
  readonly response: ServerResponse
  readonly sinceMs: number
  /** The page has the updates up to this time. */
  knownMs: number
  /** The time since which the page has not read its messages. */
  waitingSinceMs: number | undefined
}

/** The open pages, which get server-sent events. For each of them apm-agent keeps at most one portion in memory. */
export class Viewers {
  readonly #source: Source
  readonly #viewers = new Set<Viewer>()

  constructor(source: Source) {
    this.#source = source
  }

  get areThere(): boolean {
    return this.#viewers.size > 0
  }

  /** Adds a page. If all seats are taken, the page gets a message, because an EventSource cannot see a status. */
  add(response: ServerResponse, afterMs: number): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close',
    })
    if (this.#viewers.size >= MAX_VIEWERS) return void response.end(eventOf(serialize({ kind: 'full' })))
    const viewer: Viewer = {
      response,
      sinceMs: this.#source.nowMs(),
      knownMs: afterMs,
      waitingSinceMs: undefined,
    }
    this.#viewers.add(viewer)
    response.once('close', () => this.#viewers.delete(viewer))
    response.on('drain', () => {
      viewer.waitingSinceMs = undefined
      if (this.#source.after(viewer.knownMs).lastMs !== undefined) this.#catchUp(viewer)
    })
    this.#catchUp(viewer)
  }

  /**
   * @param message JSON of a {@link LiveMessage}
   * @param atMs the time of the update in the message
   */
  tell(message: string, atMs?: number): void {
    const event = eventOf(message)
    for (const viewer of this.#viewers) {
      if (viewer.waitingSinceMs !== undefined) continue
      viewer.knownMs = atMs ?? viewer.knownMs
      this.#write(viewer, event)
    }
  }

  /** Closes the connections of pages that do not read, and of pages that are due to connect again. */
  lookAfter(nowMs: number = this.#source.nowMs()): void {
    for (const viewer of this.#viewers) {
      const { response, sinceMs, waitingSinceMs = nowMs } = viewer
      if (nowMs - waitingSinceMs > DRAIN_LIMIT_MS) response.destroy()
      else if (nowMs - sinceMs > SEAT_MS) response.end(eventOf(serialize({ kind: 'again' })))
      else continue
      this.#viewers.delete(viewer)
    }
  }

  close(): void {
    for (const { response } of this.#viewers) response.end()
  }

  #catchUp(viewer: Viewer): void {
    let portion: Portion
    do {
      portion = this.#source.after(viewer.knownMs)
      viewer.knownMs = portion.lastMs ?? viewer.knownMs
      this.#write(viewer, eventOf(this.#source.describe(portion)))
    } while (portion.hasMore && viewer.waitingSinceMs === undefined)
  }

  #write(viewer: Viewer, event: string): void {
    if (!viewer.response.write(event)) viewer.waitingSinceMs = this.#source.nowMs()
  }
}

export const serialize = (message: LiveMessage): string => JSON.stringify(message)

const eventOf = (json: string): string => `data: ${json}\n\n`
