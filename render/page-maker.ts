import { Numbered } from '../lib/threads/numbered.ts'
import { toError } from '../lib/threads/thrown.ts'
import type { LoadedModule } from './app-module.ts'
import { scheduleOwnWork } from './attribute-work.ts'
import { MadePage, type PageThread } from './made-page.ts'
import { type PageChunk, type PageCommand, PageState, type RenderThreadData } from './protocol.ts'

/** A message wakes the main thread, so chunks wait until this share of the thread's pages has some, or none is left to render. */
const SHARE_OF_MESSAGE = 1 / 3

/**
 * A thread that has more pages to render than this leaves new ones waiting, and then begins all at once: their calls reach
 * the upstream together, and its answers come back together.
 */
const ENOUGH_READY = 4

interface PageMakerOptions
  extends Pick<RenderThreadData, 'windowBytes' | 'states' | 'crowded' | 'beats' | 'beatMs'> {
  readonly module: LoadedModule
  send(chunks: readonly PageChunk[]): void
}

/**
 * Makes pages in a render thread. React renders one new page in a turn of the event loop, so a command or data that arrives
 * waits for one page at most, and not for all that were there before.
 *
 *     command ─▶ load ─▶ data arrives ─▶ loaded pages, first in, first out ─▶ one render a turn ─▶ chunks ─▶ message
 */
export class PageMaker implements PageThread {
  readonly #options: PageMakerOptions
  /** The pages that have not sent their last chunk, by their id. */
  readonly #open = new Numbered<MadePage>()
  readonly #waiting: MadePage[] = []
  readonly #loaded: MadePage[] = []
  #dirty: MadePage[] = []
  /** A page that is not rendered yet, whose data was there at once. */
  #atOnce: MadePage | undefined
  #isScheduled = false
  /** Whether a page began to wait for data while others wait for its place. */
  #hasRoom = false
  #heart: NodeJS.Timeout | undefined

  readonly module: LoadedModule
  readonly windowBytes: number

  constructor(options: PageMakerOptions) {
    this.#options = options
    this.module = options.module
    this.windowBytes = options.windowBytes
  }

  obey(commands: readonly PageCommand[]): void {
    for (const command of commands) {
      if (command.kind === 'render') this.#add(command)
      else {
        // A page that is not open has sent its last chunk, which is on the way.
        const page = this.#open.get(command.id)
        page?.enter(() => pass(command, page))
      }
    }
    this.#beginWaiting()
  }

  onDirty(page: MadePage): void {
    // React may still write to a page whose last chunk was sent because its client had left.
    if (this.#open.get(page.id) !== page) return
    if (!this.#dirty.includes(page)) this.#dirty.push(page)
    this.#schedule()
  }

  onLoaded(page: MadePage): void {
    this.#loaded.push(page)
    this.#schedule()
  }

  mark(slot: number, state: PageState): void {
    const { states, crowded } = this.#options
    Atomics.store(states, slot, state)
    if (state !== PageState.waits || Atomics.load(crowded, 0) === 0) return
    this.#hasRoom = true
    this.#schedule()
  }

  #add({ id, slot, call }: PageCommand & { readonly kind: 'render' }): void {
    const page = new MadePage(id, slot, call, this)
    this.#open.add(id, page)
    this.#waiting.push(page)
    const { beats, beatMs } = this.#options
    this.#heart ??= setInterval(() => Atomics.add(beats, 0, 1), beatMs)
  }

  #beginWaiting(): void {
    // A page whose data is there at once is rendered before others begin, so that their data takes no memory.
    while (!this.#atOnce && this.#loaded.length <= ENOUGH_READY) {
      const page = this.#waiting.shift()
      if (!page) return
      if (!page.isOver) page.enter(() => page.begin())
      if (this.#loaded.at(-1) === page) this.#atOnce = page
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    scheduleOwnWork(() => {
      this.#isScheduled = false
      this.#turn()
    })
  }

  #turn(): void {
    if (this.#loaded.length === 0 || this.#dirty.length >= this.#open.size * SHARE_OF_MESSAGE)
      this.#sendDirty()
    const page = this.#loaded.shift()
    if (page === this.#atOnce) this.#atOnce = undefined
    page?.enter(() => page.render())
    this.#beginWaiting()
    if (this.#loaded.length > 0) this.#schedule()
  }

  #sendDirty(): void {
    if (this.#dirty.length === 0 && !this.#hasRoom) return
    this.#hasRoom = false
    const chunks = this.#dirty.map(page => page.take())
    this.#dirty = []
    for (const { id, isLast } of chunks) if (isLast) this.#open.delete(id)
    this.#options.send(chunks)
    if (this.#open.size > 0) return
    clearInterval(this.#heart)
    this.#heart = undefined
  }
}

function pass(command: Exclude<PageCommand, { readonly kind: 'render' }>, page: MadePage): void {
  switch (command.kind) {
    case 'value':
      return page.request.settle(command.name, command.value)
    case 'rejection':
      return page.request.reject(command.name, command.error)
    case 'credit':
      return page.output.addCredit(command.bytes)
    case 'abort':
      return page.abort(toError(command.reason))
    case 'leave':
      return page.leave()
    default:
      throw new TypeError(`unknown command ${JSON.stringify(command)}`)
  }
}
