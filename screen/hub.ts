import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { StreamMessage } from './live-messages.ts'

export const MAX_VIEWERS = 64
const BEAT_MS = 2000
/** A page that has not read its messages within this time is closed. It connects again, and gets what it missed. */
const DRAIN_LIMIT_MS = 10_000
/** The kernel asks a page that sends nothing for this long whether it is still there. */
const KEEP_ALIVE_MS = 30_000
const MAX_NAMED = 128

interface HubOptions<Message> {
  /** The limits on messages that are kept without a name. */
  readonly maxMessages: number
  readonly maxBytes: number
  /** A message in place of `hello` that is repeated to open pages; undefined if there is none. */
  beat?(): Message | undefined
}

/** A kept message. Its id is the time at which it was told, in milliseconds since the epoch, and later than that of the one before. */
interface Kept {
  readonly id: number
  readonly name: string | undefined
  readonly json: string
}

/** An open page. */
interface Viewer {
  /** The page has the messages up to this one. */
  knownId: number
  /** The time since which the page has not read its messages. */
  waitingSinceMs: number | undefined
}

/**
 * Sends messages to open pages as server-sent events, and keeps them for pages that come later. A page that reads slowly
 * gets as much as it has room for, and the rest once it has read that, so that little memory is needed for each.
 */
export class Hub<Message extends { readonly kind: string }> {
  readonly #options: HubOptions<Message>
  readonly #viewers = new Map<ServerResponse, Viewer>()
  /** In the order of their ids; of each name only the last. */
  #kept: Kept[] = []
  #lastId = 0
  readonly #beat: NodeJS.Timeout

  constructor(options: HubOptions<Message>) {
    this.#options = options
    this.#beat = setInterval(() => this.#lookAfter(), BEAT_MS).unref()
  }

  get hasViewers(): boolean {
    return this.#viewers.size > 0
  }

  /** The present time in milliseconds since the epoch. Setting the clock of the machine does not change it. */
  get nowMs(): number {
    return Math.max(Math.round(performance.timeOrigin + performance.now()), this.#lastId)
  }

  /**
   * Tells all pages, also those that come later.
   * @param name pages that come later get only the last message of this name; without a name, they get each
   */
  tell(message: Message, name?: string): void {
    const id = Math.max(this.nowMs, this.#lastId + 1)
    const kept = { id, name, json: JSON.stringify(message) }
    this.#lastId = id
    this.#keep(kept)
    for (const [response, viewer] of this.#viewers)
      if (viewer.waitingSinceMs === undefined) this.#write(response, viewer, kept)
  }

  /** Forgets all that was told. */
  clear(): void {
    this.#kept = []
  }

  /**
   * Opens a stream to a page.
   * @param afterId the page has all messages up to this id; an id of the future counts as 0
   */
  watch(response: ServerResponse, afterId = 0): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      connection: 'close',
    })
    if (this.#viewers.size >= MAX_VIEWERS) return void response.end(eventOf('{"kind":"full"}'))
    response.socket?.setKeepAlive(true, KEEP_ALIVE_MS)
    const viewer: Viewer = { knownId: afterId <= this.nowMs ? afterId : 0, waitingSinceMs: undefined }
    this.#viewers.set(response, viewer)
    response.once('close', () => this.#viewers.delete(response))
    response.on('drain', () => {
      viewer.waitingSinceMs = undefined
      this.#catchUp(response, viewer)
    })
    this.#write(response, viewer, { json: this.#hello() })
    this.#catchUp(response, viewer)
  }

  close(): void {
    clearInterval(this.#beat)
    for (const response of this.#viewers.keys()) response.end()
  }

  /** Keeps a message. Beyond the limits, the oldest are forgotten: of those with a name, and of the others. */
  #keep(kept: Kept): void {
    let { maxMessages, maxBytes } = this.#options
    let maxNamed = MAX_NAMED
    const others = this.#kept.filter(({ name }) => name === undefined || name !== kept.name)
    const isWithin = ({ name, json }: Kept) => {
      if (name !== undefined) return maxNamed-- > 0
      maxBytes -= json.length
      return maxMessages-- > 0 && maxBytes >= 0
    }
    this.#kept = [...others, kept].toReversed().filter(isWithin).toReversed()
  }

  #catchUp(response: ServerResponse, viewer: Viewer): void {
    for (const kept of this.#kept.filter(({ id }) => id > viewer.knownId)) {
      if (viewer.waitingSinceMs !== undefined) return
      this.#write(response, viewer, kept)
    }
  }

  #write(response: ServerResponse, viewer: Viewer, { id, json }: Pick<Kept, 'json'> & Partial<Kept>): void {
    viewer.knownId = id ?? viewer.knownId
    if (!response.write(eventOf(json, id))) viewer.waitingSinceMs = performance.now()
  }

  #hello(): string {
    return JSON.stringify({ kind: 'hello', nowMs: this.nowMs } satisfies StreamMessage)
  }

  #lookAfter(): void {
    const beat = this.#options.beat?.()
    const json = beat ? JSON.stringify(beat) : this.#hello()
    for (const [response, viewer] of this.#viewers) {
      const { waitingSinceMs } = viewer
      if (waitingSinceMs === undefined) this.#write(response, viewer, { json })
      else if (performance.now() - waitingSinceMs > DRAIN_LIMIT_MS) response.destroy()
    }
  }
}

const eventOf = (json: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`
