import type { ServerResponse } from 'node:http'
import type { Portion } from './history.ts'
import type { LiveMessage } from './update.ts'

export const MAX_VIEWERS = 64
/** A page that has not read what it was told by then is gone, or might as well be. */
const DRAIN_LIMIT_MS = 10_000
/** After so long a page has to come again: one that is gone without a word keeps its seat no longer. */
const SEAT_MS = 120_000

interface Source {
  /** What there is after a time. */
  after(atMs: number): Portion
  /** How it is told. */
  describe(portion: Portion): string
  /** A clock that this process's own pauses do not move. */
  nowMs(): number
}

/** A page that watches. It is told what it has room for, and the rest once it has read that. */
interface Viewer {
  readonly response: ServerResponse
  readonly sinceMs: number
  /** It knows the updates until then. */
  knownMs: number
  /** Since when it has not read what it was told. */
  waitingSinceMs: number | undefined
}

/** The pages that watch, by server-sent events. None of them makes apm-agent keep more than a portion for it. */
export class Viewers {
  readonly #source: Source
  readonly #viewers = new Set<Viewer>()

  constructor(source: Source) {
    this.#source = source
  }

  get areThere(): boolean {
    return this.#viewers.size > 0
  }

  /** Where all seats are taken, the page is told so: an EventSource does not see a status. */
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

  /** @param message JSON of a {@link LiveMessage} @param atMs of the update that it is */
  tell(message: string, atMs?: number): void {
    const event = eventOf(message)
    for (const viewer of this.#viewers) {
      if (viewer.waitingSinceMs !== undefined) continue
      viewer.knownMs = atMs ?? viewer.knownMs
      this.#write(viewer, event)
    }
  }

  /** Takes the seats of those that read no more. */
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
