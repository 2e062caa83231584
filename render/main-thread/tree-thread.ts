import { join } from 'node:path'
import { PooledThread, type ThreadEnd } from '../../lib/main-thread/pooled-thread.ts'
import { createMarks } from '../../lib/threads/slot-marks.ts'
import { describeThrown, errorOf } from '../../lib/threads/thrown.ts'
import {
  type ChunksMessage,
  PageState,
  type TreeChunk,
  type TreeOrder,
  type TreeThreadData,
  type TreeThreadMessage,
} from '../tree-protocol.ts'
import { tellOfThread } from './tell-error.ts'

const FILE = join(import.meta.dirname, '../tree-thread.ts')

/** A page that a thread has not finished. */
export interface UnfinishedTree {
  take(chunk: TreeChunk): void
  readonly url: string
  /**
   * The thread has ended.
   * @param culprit the page whose code ended it
   * @returns whether the page is not made again, and its error was reported
   */
  lose(end: ThreadEnd, culprit: UnfinishedTree | undefined): boolean
  readonly state: PageState
  /** Whether another thread may make the page, although this one goes on. */
  readonly canMove: boolean
  /** The thread makes the page no more. */
  move(): void
  /** The page cannot be sent to the thread. */
  refuse(error: Error): void
}

interface TreeThreadEvents {
  onExit(): void
  /** Called when chunks have come, after they were passed on. */
  onChunks(): void
}

/** A render thread for whole pages, and those that it has not finished, by their id. */
export class TreeThread extends PooledThread<TreeThreadMessage> {
  /** Whether the module of the page reads more of a request than its props. */
  readsRequest = false
  /** See `AppModule`. */
  repeatable = false
  readonly #pages = new Map<number, UnfinishedTree>()
  /** The orders of this turn of the event loop. They travel in one message. */
  #orders: TreeOrder[] = []
  readonly #states: TreeThreadData['states']
  readonly #beats: TreeThreadData['beats']
  readonly #onChunks: () => void
  readonly #culprit: TreeThreadData['culprit']
  /** Number of messages that came. A thread whose pages are all short may never beat. */
  #messages = 0

  constructor(
    data: Omit<TreeThreadData, 'states' | 'beats' | 'culprit'>,
    slots: number,
    memoryMib: number,
    { onExit, onChunks }: TreeThreadEvents,
  ) {
    const states = createMarks(slots)
    const beats = createMarks(1)
    const culprit = createMarks(1)
    super({ file: FILE, name: 'render', data: { ...data, states, beats, culprit }, memoryMib }, onExit)
    this.#states = states
    this.#beats = beats
    this.#culprit = culprit
    this.#onChunks = onChunks
  }

  override get load(): number {
    return this.#pages.size
  }

  override get progress(): number | null {
    return this.isReady ? Atomics.load(this.#beats, 0) + this.#messages : null
  }

  /** Number of pages that wait for data. */
  get waiting(): number {
    let waiting = 0
    for (const { state } of this.#pages.values()) if (state === PageState.waits) waiting++
    return waiting
  }

  stateIn(slot: number): PageState {
    return Atomics.load(this.#states, slot) as PageState
  }

  open(order: TreeOrder & { readonly kind: 'render' }, page: UnfinishedTree): void {
    this.#pages.set(order.id, page)
    Atomics.store(this.#states, order.slot, PageState.notBegun)
    this.send(order)
  }

  /** Sends an order at the end of this turn of the event loop. */
  send(order: TreeOrder): void {
    if (this.#orders.push(order) === 1) setImmediate(() => this.#sendOrders())
  }

  protected override take(message: TreeThreadMessage): void {
    if (message.kind === 'ready') this.#becomeReady(message)
    else if (message.kind === 'chunks') this.#takeChunks(message)
    else throw new TypeError(`unknown message ${JSON.stringify(message)}`)
  }

  override get canHandOver(): boolean {
    return [...this.#pages.values()].some(page => page.canMove)
  }

  override handOver(): void {
    for (const [id, page] of this.#pages)
      if (page.canMove) {
        this.#pages.delete(id)
        this.send({ kind: 'leave', id })
        page.move()
      }
  }

  protected override giveBack(): void {
    const pages = [...this.#pages.values()]
    const culprit = this.#pages.get(Atomics.load(this.#culprit, 0))
    this.#pages.clear()
    const told = pages.filter(page => page.lose(this.end, culprit))
    const { error } = this.end
    if (error && told.length === 0) tellOfThread(error, culprit?.url)
  }

  #becomeReady({ readsRequest, repeatable }: TreeThreadMessage & { readonly kind: 'ready' }): void {
    this.readsRequest = readsRequest
    this.repeatable = repeatable
  }

  #takeChunks({ chunks }: ChunksMessage): void {
    this.#messages++
    for (const chunk of chunks) {
      const page = this.#pages.get(chunk.id)
      if (chunk.isLast) this.#pages.delete(chunk.id)
      page?.take(chunk)
    }
    this.#onChunks()
  }

  #sendOrders(): void {
    const orders = this.#orders
    this.#orders = []
    try {
      this.#post(orders)
    } catch {
      for (const order of orders) this.#sendAlone(order)
    }
  }

  /** One of the orders cannot be copied. */
  #sendAlone(order: TreeOrder): void {
    try {
      this.#post([order])
    } catch (thrown) {
      const { id } = order
      const error = errorOf(thrown)
      if (order.kind === 'value')
        return this.#post([{ kind: 'rejection', id, name: order.name, error: describeThrown(error) }])
      const page = this.#pages.get(id)
      this.#pages.delete(id)
      page?.refuse(error)
    }
  }

  #post(orders: readonly TreeOrder[]): void {
    this.post({ kind: 'orders', orders })
  }
}
