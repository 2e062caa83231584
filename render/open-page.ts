import { monotonicMs } from '../lib/units.ts'
import type { StaticPage } from './dist.ts'
import { packCall, packPart } from './packed-page.ts'
import type { Fetching } from './page-data.ts'
import { isPart, type PagePart, placesOf } from './page-places.ts'
import { parts } from './parts.ts'
import type {
  DonePart,
  FailedPart,
  NoData,
  PackedValue,
  PageCall,
  PageInput,
  PagePieces,
  PartCall,
  SourceName,
} from './protocol.ts'
import { UnsentHtml } from './unsent-html.ts'

/** A part that can be rendered, because its data is there. */
export interface ReadyPart {
  readonly place: number
  readonly call: PartCall
  /** The arrival of its data by the monotonic clock, in milliseconds. */
  readonly askedAtMs: number
}

/** A page that a render thread makes. Finished places wait here until all places before them are finished. */
export class OpenPage {
  readonly slot: number
  readonly call: PageCall
  readonly #fallbacks: StaticPage['fallbacks']
  readonly #places: readonly (string | PagePart)[]
  /** The HTML of each place; undefined while it is missing. */
  readonly #html: (string | undefined)[]
  readonly #ready: ReadyPart[] = []
  readonly #fetches: Fetching[] = []
  /** Number of fetches that have not ended. */
  #pending = 0
  #rendered: number[] = []
  #failed: FailedPart[] = []
  #calls: PackedValue[] = []
  /** The first place that is missing. */
  #missingFrom: number
  /** The HTML of the places that are finished and were not sent. */
  readonly #unsent = new UnsentHtml()
  /** Whether it contains a part. Static HTML alone is not worth a message. */
  #hasUnsentPart = false
  /** Number of required parts that are missing. No HTML is sent before, because they decide the status of the page. */
  #missingRequired: number
  #hasFailed = false
  /** Whether the main thread knows that no HTML follows. */
  #isKnownToFail = false

  constructor(slot: number, call: PageCall, { shells, fallbacks }: StaticPage) {
    this.slot = slot
    this.call = call
    this.#missingFrom = call.from
    this.#fallbacks = fallbacks
    this.#places = placesOf(shells[call.query.theme], call.query)
    this.#html = this.#places.map(place => (isPart(place) ? undefined : place))
    for (const place of call.lost) this.#html[place] = fallbacks[this.#partIn(place).name]
    this.#missingRequired = this.#unended().filter(([, { name }]) => parts[name].isRequired).length
    this.#advance()
  }

  /** The sources of the parts that have not ended. */
  get sources(): Set<SourceName> {
    return new Set(this.#unended().map(([, { name }]) => parts[name].source))
  }

  get hasReady(): boolean {
    return this.#ready.length > 0
  }

  get isLong(): boolean {
    return this.#unsent.isLong
  }

  /** Whether no part and no fetch is left. */
  get isOver(): boolean {
    return this.#pending === 0 && (this.#hasFailed || this.#missingFrom === this.#html.length)
  }

  /** Notes that the data of a source is being fetched. */
  await(fetching: Fetching): void {
    this.#fetches.push(fetching)
    this.#pending++
  }

  endCall(source: SourceName, { times }: Fetching): void {
    this.#pending--
    if (times) packCall(this.#calls, source, times)
  }

  cancelFetches(): void {
    for (const fetching of this.#fetches) fetching.cancel()
  }

  /** Makes the parts of this source ready. */
  arrive(source: SourceName, data: Pick<PageInput, 'data' | 'type'>): void {
    if (this.#hasFailed) return
    const { envelope, query, partDeadline } = this.call
    const input = { envelope: { ...envelope, deadline: partDeadline }, query, ...data }
    const askedAtMs = monotonicMs()
    for (const [place, part] of this.#unended(source))
      this.#ready.push({ place, call: { ...part, input }, askedAtMs })
  }

  takeReady(): ReadyPart | undefined {
    return this.#ready.shift()
  }

  /** Ends the parts of this source without data. */
  miss(source: SourceName, failure: NoData): void {
    const askedAtMs = monotonicMs()
    for (const [place] of this.#unended(source)) this.fail(place, askedAtMs, failure)
  }

  /** Ends a part with its HTML. */
  finish(place: number, html: string, times: Omit<DonePart, 'name'>): void {
    if (this.#hasFailed) return
    packPart(this.#rendered, { name: this.#partIn(place).name, ...times })
    this.#end(place, html)
  }

  /** Ends a part with its fallback. Without a required part there is no page. */
  fail(place: number, askedAtMs: number, failure: FailedPart['failure']): void {
    if (this.#hasFailed) return
    const { name } = this.#partIn(place)
    this.#failed.push({ name, askedAtMs, failure })
    if (parts[name].isRequired) this.#giveUp()
    else this.#end(place, this.#fallbacks[name])
  }

  /** Notes that the page is not wanted. */
  abandon(): void {
    this.#giveUp()
    this.#isKnownToFail = true
  }

  /** Takes what is to be sent now; undefined if there is no reason to send a message. */
  takePieces(): PagePieces | undefined {
    const canSend = this.#hasUnsentPart && this.#missingRequired === 0
    if (!(this.#hasFailed ? !this.#isKnownToFail : canSend) && !this.isOver) return undefined
    const html = this.#hasFailed ? undefined : this.#unsent.take()
    const pieces: PagePieces = {
      slot: this.slot,
      html,
      until: this.#missingFrom,
      rendered: this.#rendered,
      calls: this.#calls,
      failed: this.#failed,
      isLast: this.isOver,
    }
    this.#hasUnsentPart = false
    this.#isKnownToFail = this.#hasFailed
    this.#rendered = []
    this.#calls = []
    this.#failed = []
    return pieces
  }

  #end(place: number, html: string): void {
    if (parts[this.#partIn(place).name].isRequired) this.#missingRequired--
    this.#html[place] = html
    this.#advance()
  }

  #giveUp(): void {
    this.#hasFailed = true
    this.#ready.length = 0
  }

  #advance(): void {
    for (; this.#missingFrom < this.#html.length; this.#missingFrom++) {
      const html = this.#html[this.#missingFrom]
      if (html === undefined) return
      this.#unsent.add(html, this.#readyBytes())
      // The string is no longer needed. The empty one says that the place is finished.
      this.#html[this.#missingFrom] = ''
      if (isPart(this.#places[this.#missingFrom] as string | PagePart)) this.#hasUnsentPart = true
    }
  }

  #readyBytes(): number {
    return this.#ready.reduce((bytes, { call }) => bytes + parts[call.name].typicalBytes, 0)
  }

  #partIn(place: number): PagePart {
    return this.#places[place] as PagePart
  }

  /** The parts that have not ended, of one source or of all. */
  #unended(source?: SourceName): [number, PagePart][] {
    const unended: [number, PagePart][] = []
    for (let place = this.#missingFrom; place < this.#places.length; place++) {
      const part = this.#places[place] as string | PagePart
      if (!isPart(part) || this.#html[place] !== undefined) continue
      if (source === undefined || parts[part.name].source === source) unended.push([place, part])
    }
    return unended
  }
}
