import type { SlotMarks } from '../lib/threads/slot-marks.ts'
import { readStaticPage } from './dist.ts'
import { type PartText, renderText } from './execute.ts'
import { OpenPage } from './open-page.ts'
import type { Fetching, PageData } from './page-data.ts'
import type { ReadyPart } from './page-places.ts'
import {
  type LeaveMessage,
  type NewPage,
  type PagePieces,
  type PartFailure,
  type SourceName,
  sourceNames,
} from './protocol.ts'
import type { Renderer } from './renderer.ts'

/**
 * A message wakes the main thread. Finished pieces therefore wait for those of other pages, until this share of all pages
 * of the thread has some, or no part is left to render.
 */
const SHARE_OF_MESSAGE = 1 / 3

/**
 * A thread that has more pages to render than this leaves new ones waiting, and then begins all at once: their calls reach
 * the upstream together, and its answers come back together. The pages that are left to render cover the time of the calls.
 */
const ENOUGH_READY = 4

interface PageMakerOptions {
  readonly renderer: Renderer
  readonly data: PageData
  readonly started: SlotMarks
  readonly awaited: SlotMarks
  send(pieces: readonly PagePieces[]): void
}

/**
 * Makes pages in a render thread. The data of a page is asked for as soon as its message is read, unless the thread has
 * enough to render. One part is rendered in a turn of the event loop, so a message or data that arrives waits for one
 * part at most, and not for the pages before it.
 *
 *     message ─▶ fetch ─▶ data arrives ─▶ ready pages, first in, first out ─▶ one part a turn ─▶ pieces ─▶ message
 *        └▶ wait while others are rendered ─▶ fetch …
 */
export class PageMaker {
  readonly #options: PageMakerOptions
  readonly #static = readStaticPage()
  /** The pages that have not begun, by their slot. */
  readonly #waiting = new Map<number, NewPage>()
  /** The pages that have begun and are not over, by their slot. */
  readonly #open = new Map<number, OpenPage>()
  /** The pages with parts that can be rendered. */
  readonly #ready = new Set<OpenPage>()
  /** The pieces that were not sent. */
  #pieces: PagePieces[] = []
  #isScheduled = false

  constructor(options: PageMakerOptions) {
    this.#options = options
  }

  /** Makes a page, at once or in its turn. */
  make(page: NewPage): void {
    this.#waiting.set(page.slot, page)
    this.#beginWaiting()
  }

  /** Stops the work for a page that is no longer wanted. */
  leave({ slot, isClientGone }: LeaveMessage): void {
    const waiting = this.#waiting.get(slot)
    // A page that has not begun has no calls to wait for: once it is opened and abandoned, it is over.
    const page = waiting ? this.#openPage(waiting) : this.#open.get(slot)
    if (!page) return
    page.abandon()
    if (isClientGone) page.cancelFetches()
    this.#ready.delete(page)
    this.#send(page)
  }

  #beginWaiting(): void {
    if (this.#ready.size > ENOUGH_READY) return
    for (const waiting of this.#waiting.values()) {
      const page = this.#openPage(waiting)
      for (const source of page.sources) {
        const fetching = this.#options.data.fetch(source, page.call)
        page.await(fetching)
        void this.#follow(page, source, fetching)
      }
      // All parts of a page that is made again may have been lost.
      this.#send(page)
    }
  }

  #openPage({ slot, call }: NewPage): OpenPage {
    const page = new OpenPage(slot, call, this.#static)
    this.#waiting.delete(slot)
    this.#open.set(slot, page)
    return page
  }

  async #follow(page: OpenPage, source: SourceName, fetching: Fetching): Promise<void> {
    const { awaited, data } = this.#options
    const bit = 1 << sourceNames.indexOf(source)
    Atomics.or(awaited, page.slot, bit)
    try {
      const fetched = await fetching.data
      page.endCall(source, fetching)
      page.arrive(source, fetched)
    } catch (error) {
      page.endCall(source, fetching)
      page.miss(source, { kind: 'no data', ...data.describe(error) })
    }
    Atomics.and(awaited, page.slot, ~bit)
    if (page.hasReady) {
      this.#ready.add(page)
      this.#schedule()
    } else this.#send(page)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#turn()
    })
  }

  #turn(): void {
    const [page] = this.#ready
    if (page) this.#renderNext(page)
    this.#beginWaiting()
    if (this.#ready.size > 0) this.#schedule()
  }

  #renderNext(page: OpenPage): void {
    const part = page.takeReady()
    if (part) this.#render(page, part)
    if (!page.hasReady) this.#ready.delete(page)
    if (!page.hasReady || page.isLong) this.#send(page)
  }

  #render(page: OpenPage, part: ReadyPart): void {
    const { renderer, started } = this.#options
    Atomics.store(started, page.slot, part.place + 1)
    const reply = renderText(renderer, part.call)
    // If another page ends this thread, this page may be lost. The mark 0 says that it did not cause that.
    Atomics.store(started, page.slot, 0)
    if (!(reply instanceof Promise)) return end(page, part, reply)
    void reply.then(failure => {
      end(page, part, failure)
      this.#send(page)
    })
  }

  #send(page: OpenPage): void {
    const pieces = this.#open.get(page.slot) === page ? page.takePieces() : undefined
    if (pieces) this.#pieces.push(pieces)
    if (pieces?.isLast) this.#open.delete(page.slot)
    const pages = this.#open.size + this.#waiting.size
    const isEnough = this.#ready.size === 0 || this.#pieces.length >= pages * SHARE_OF_MESSAGE
    if (this.#pieces.length === 0 || !isEnough) return
    this.#options.send(this.#pieces)
    this.#pieces = []
  }
}

function end(page: OpenPage, { place, askedAtMs }: ReadyPart, reply: PartText | PartFailure): void {
  if (reply.kind !== 'text') return page.fail(place, askedAtMs, reply)
  const { text, startedAtMs, runMs } = reply
  page.finish(place, text, { askedAtMs, startedAtMs, runMs })
}
