import { join } from 'node:path'
import {
  PooledThread,
  type PostToThread,
  type ThreadEnd,
  type ThreadWork,
} from '../../lib/main-thread/pooled-thread.ts'
import { Numbered } from '../../lib/threads/numbered.ts'
import { createMarks } from '../../lib/threads/thread-setup.ts'
import { describeThrown, errorOf } from '../../lib/threads/thrown.ts'
import {
  type ChunksMessage,
  type PageChunk,
  type PageCommand,
  PageState,
  type RenderThreadData,
  type RenderThreadMessage,
} from '../protocol.ts'
import { tellOfThread } from './render-error.ts'

const FILE = join(import.meta.dirname, '../thread.ts')

/** A page that a thread has not finished. */
export interface UnfinishedPage {
  take(chunk: PageChunk): void
  readonly url: string
  /**
   * The thread has ended. @param culprit the page whose code ended it
   * @returns whether the page is not made again, and its error was reported
   */
  lose(end: ThreadEnd, culprit: UnfinishedPage | undefined): boolean
  readonly state: PageState
  /** Whether another thread may make the page, although this one goes on. */
  readonly canMove: boolean
  /** The thread makes the page no more. */
  move(): void
  /** The page cannot be sent to the thread. */
  refuse(error: Error): void
}

interface RenderThreadEvents {
  onExit(): void
  /** Called when chunks have come, after they were passed on. */
  onChunks(): void
}

/** Starts a render thread for whole pages. */
export function startRenderThread(
  shared: Omit<RenderThreadData, 'states' | 'beats' | 'culprit'>,
  slots: number,
  memoryMib: number,
  { onExit, onChunks }: RenderThreadEvents,
): PooledThread<RenderWork> {
  const [states, beats, culprit] = [createMarks(slots), createMarks(1), createMarks(1)]
  const data: RenderThreadData = { ...shared, states, beats, culprit }
  const file = { file: FILE, name: 'render', data, memoryMib }
  return new PooledThread(file, post => new RenderWork(data, post, onChunks), onExit)
}

/** The pages that a render thread has not finished. */
export class RenderWork implements ThreadWork<RenderThreadMessage> {
  /** Whether the module of the page reads more of a request than its props. */
  readsRequest = false
  /** See `AppModule`. */
  repeatable = false
  readonly #post: PostToThread
  #isReady = false
  /** By their ids. */
  #pages = new Numbered<UnfinishedPage>()
  /** The commands of this turn of the event loop. They travel in one message. */
  #commands: PageCommand[] = []
  readonly #data: RenderThreadData
  readonly #onChunks: () => void
  /** Number of messages that came. A thread whose pages are all short may never beat. */
  #messages = 0

  constructor(data: RenderThreadData, post: PostToThread, onChunks: () => void) {
    this.#post = post
    this.#data = data
    this.#onChunks = onChunks
  }

  get load(): number {
    return this.#pages.size
  }

  get progress(): number | null {
    return this.#isReady ? Atomics.load(this.#data.beats, 0) + this.#messages : null
  }

  /** Number of pages that wait for data. */
  get waiting(): number {
    return this.#pages.entries().filter(([, { state }]) => state === PageState.waits).length
  }

  stateIn(slot: number): PageState {
    return Atomics.load(this.#data.states, slot) as PageState
  }

  open(command: PageCommand & { readonly kind: 'render' }, page: UnfinishedPage): void {
    this.#pages.add(command.id, page)
    Atomics.store(this.#data.states, command.slot, PageState.notBegun)
    this.send(command)
  }

  /** Sends a command at the end of this turn of the event loop. */
  send(command: PageCommand): void {
    if (this.#commands.push(command) === 1) setImmediate(() => this.#sendCommands())
  }

  take(message: RenderThreadMessage): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.readsRequest = message.readsRequest
      this.repeatable = message.repeatable
    } else if (message.kind === 'chunks') this.#takeChunks(message)
    else throw new TypeError(`unknown message ${JSON.stringify(message)}`)
  }

  get canHandOver(): boolean {
    return this.#pages.entries().some(([, page]) => page.canMove)
  }

  handOver(): void {
    for (const [id, page] of this.#pages.entries())
      if (page.canMove) {
        this.#pages.delete(id)
        this.send({ kind: 'leave', id })
        page.move()
      }
  }

  giveBack(end: ThreadEnd): void {
    const pages = this.#pages.entries().map(([, page]) => page)
    const hasLimit = end.timedOut || end.outOfMemory
    const culprit =
      this.#pages.get(Atomics.load(this.#data.culprit, 0)) ??
      (hasLimit ? pages.find(({ state }) => state === PageState.runs) : undefined)
    this.#pages = new Numbered()
    const told = pages.filter(page => page.lose(end, culprit))
    const { error } = end
    if (error && told.length === 0) tellOfThread(error, culprit?.url)
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

  #sendCommands(): void {
    const commands = this.#commands
    this.#commands = []
    try {
      this.#postCommands(commands)
    } catch {
      for (const command of commands) this.#sendAlone(command)
    }
  }

  /** One of the commands cannot be copied. */
  #sendAlone(command: PageCommand): void {
    try {
      this.#postCommands([command])
    } catch (thrown) {
      const { id } = command
      const error = errorOf(thrown)
      if (command.kind === 'value')
        return this.#postCommands([
          { kind: 'rejection', id, name: command.name, error: describeThrown(error) },
        ])
      const page = this.#pages.get(id)
      this.#pages.delete(id)
      page?.refuse(error)
    }
  }

  #postCommands(commands: readonly PageCommand[]): void {
    this.#post({ kind: 'commands', commands })
  }
}
