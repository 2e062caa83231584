import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Transferable,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads'
import { readCoreTime } from '../os/usage.ts'
import { outside } from '../threads/outside.ts'
import { END, type ThreadSetup } from '../threads/thread-setup.ts'
import { errorOf, stackOf } from '../threads/thrown.ts'
import { ProgressWatch } from './progress-watch.ts'
import { warnStrays } from './stray-messages.ts'
import { warnOnce } from './warn.ts'

const BUNDLED =
  'a bundle of the service has to leave out the package that starts this thread, as esbuild does with --external:@main-thread/*'

interface ThreadFile {
  readonly file: string
  /** The name that tools show. */
  readonly name: string
  /** What the thread gets: plain data and shared memory. */
  readonly data: object
  /** The limit of its heap, and also of its buffers, in MiB. */
  readonly memoryMib: number
  /** Further options of its `Worker`. */
  readonly worker?: WorkerOptions
}

/** Why a thread ended, as far as its pool knows. */
export interface ThreadEnd {
  /** It was ended because it made no progress. */
  readonly timedOut?: boolean
  /** Its heap or its buffers reached the limit. */
  readonly outOfMemory?: boolean
  /** The same in words, for the log. */
  readonly why: string
  /** The error that nobody in the thread caught. */
  readonly error?: Error
}

/** A message of a thread: `ready`, or what its work takes. */
interface ThreadMessage {
  readonly kind?: string
  /** With `ready`, the id by which Linux knows the thread. */
  readonly osThreadId?: number | undefined
}

/** What a thread owes its pool. */
export interface ThreadWork<Message = never> {
  /** The amount of unfinished work, in slots. */
  readonly load: number
  /** A value that changes while the thread makes progress; null if it has nothing to do or has not begun. */
  readonly progress: string | number | null
  take(message: Message): void
  /** Reports all that the thread has not finished as lost, because of `end`. */
  giveBack(end: ThreadEnd): void
  /** Whether there is work, beside what the thread runs, that another thread may take. */
  readonly canHandOver?: boolean
  /** Gives back the work that another thread may take. */
  handOver?(): void
}

/** Sends a message to a thread. @throws what `postMessage` throws for a message that cannot be copied */
export type PostToThread = (message: unknown, transferList?: readonly Transferable[]) => void

/**
 * A thread of a pool, and its work. It says `ready` when it has loaded its files. It has a channel of its own: what the code
 * that it loads posts to `parentPort` is ignored, with one warning.
 */
export class PooledThread<Work extends ThreadWork = ThreadWork> {
  readonly worker: Worker
  readonly work: Work
  readonly memoryMib: number
  /** @throws when the thread ends before it was ready */
  readonly ready: Promise<void>
  isReady = false
  /** The id by which Linux knows the thread, once it is ready. */
  osThreadId: number | undefined
  readonly #port: MessagePort
  readonly #resolveReady: () => void
  #idle: PromiseWithResolvers<void> | undefined
  #isAbandoned = false
  #end: ThreadEnd | undefined

  constructor(
    { file, name, data, memoryMib, worker = {} }: ThreadFile,
    createWork: (post: PostToThread) => Work,
    onExit: () => void,
  ) {
    this.memoryMib = memoryMib
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    this.ready = promise
    this.#resolveReady = resolve
    const { port1, port2 } = outside(() => new MessageChannel())
    this.#port = port1
    this.work = createWork((message, transferList) =>
      port1.postMessage(message, transferList as Transferable[]),
    )
    const resourceLimits = { maxOldGenerationSizeMb: memoryMib, ...worker.resourceLimits }
    this.worker = outside(startWorker, file, { ...worker, name, resourceLimits })
    this.worker.postMessage({ data, port: port2 } satisfies ThreadSetup<object>, [port2])
    warnStrays(this.worker)
    port1.on('message', message => this.#receive(message))
    port1.on('messageerror', error => this.#endBecause(errorOf(error)))
    port1.unref()
    this.worker.on('error', thrown => {
      const error: NodeJS.ErrnoException = errorOf(thrown)
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end = { outOfMemory, why: error.message, error }
      reject(existsSync(file) ? error : new Error(`${file} is missing; ${BUNDLED}`, { cause: error }))
    })
    this.worker.once('exit', code => {
      this.#drain()
      port1.close()
      this.#end ??= { why: `the thread ended with exit code ${code}` }
      reject(new Error(`the thread "${name}" ended with ${code} before it was ready`))
      onExit()
    })
  }

  /** Takes the messages that have come and were not read. */
  #drain(): void {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port))
      this.#receive(next.message)
  }

  /** Whatever a message leads to, it ends neither this process nor the other work of the thread. */
  #receive(message: ThreadMessage): void {
    if (this.#isAbandoned) return
    try {
      this.work.take(message as never)
      if (this.work.load === 0) this.#tellIdle()
      if (message.kind !== 'ready') return
      this.isReady = true
      this.osThreadId = message.osThreadId
      this.#resolveReady()
    } catch (thrown) {
      warnOnce('THREAD_MESSAGE', `a message of a thread could not be handled: ${stackOf(thrown)}`)
    }
  }

  /** Ends the thread because a message of it cannot be read, so that nobody waits for what it said. */
  #endBecause({ message }: Error): void {
    this.#end = { why: `a message of the thread cannot be read: ${message}` }
    void this.worker.terminate()
  }

  /**
   * Ends the thread once its output is delivered, also to what reads that of this process.
   * @returns false if nothing of it was delivered for this time, in which the thread had a core, also under a debugger
   */
  async finish(limitMs: number): Promise<boolean> {
    const outputs = [this.worker.stdout, this.worker.stderr]
    const own = [process.stdout, process.stderr]
    const ended = Promise.all([once(this.worker, 'exit'), ...outputs.map(output => finished(output))]).then(
      () => Promise.all(own.map(written)),
    )
    let chunks = 0
    // An output that nobody reads yet would be lost to a listener.
    for (const output of outputs) if (output.readableFlowing !== null) output.on('data', () => chunks++)
    const stuck = Promise.withResolvers<false>()
    const watch = new ProgressWatch<this>({
      limitMs,
      countsDebugged: true,
      read: () => [[this, `${chunks} ${own.map(({ writableLength }) => writableLength)}`]],
      onStuck: () => stuck.resolve(false),
      readCoreTime: () => readCoreTime(this.osThreadId),
    })
    watch.wake()
    this.worker.postMessage(END)
    const isEnded = await Promise.race([ended.then(() => true), stuck.promise]).catch(() => false)
    watch.close()
    return isEnded
  }

  /** Resolves when the thread has nothing to do, or has ended. */
  whenIdle(): Promise<void> {
    if (this.work.load === 0 || this.#isAbandoned) return Promise.resolve()
    this.#idle ??= Promise.withResolvers<void>()
    return this.#idle.promise
  }

  #tellIdle(): void {
    this.#idle?.resolve()
    this.#idle = undefined
  }

  /** Why it ended, or is about to. */
  get end(): ThreadEnd {
    return this.#end ?? { why: 'the thread ended' }
  }

  /** Takes what the thread has sent, and nothing more, and reports all that it has not finished as lost. */
  abandon(end: ThreadEnd = this.end): void {
    this.#drain()
    this.#isAbandoned = true
    this.isReady = false
    this.#end = end
    this.work.giveBack(end)
    this.#tellIdle()
  }
}

/** Resolves when what was written is with the system: `process.exit()` would lose what waits until a pipe has room. */
const written = (stream: NodeJS.WriteStream): Promise<unknown> | undefined =>
  stream.writable && stream.writableLength > 0 ? new Promise(resolve => stream.write('', resolve)) : undefined

/** Node.js refuses a file in a thread if the process has `--input-type`, which threads inherit. Source text may import it. */
function startWorker(file: string, options: WorkerOptions): Worker {
  const hasInputType = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some(flags =>
    flags.includes('--input-type'),
  )
  if (!hasInputType) return new Worker(file, options)
  return new Worker(`import(${JSON.stringify(pathToFileURL(file).href)})`, { ...options, eval: true })
}
