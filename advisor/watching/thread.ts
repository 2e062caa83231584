import type { Profiler } from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import type { Conversation } from '../../lib/inspector/conversation.ts'
import { insideExpression, type Reading } from './inside.ts'

/** A sample each millisecond. */
const INTERVAL_MICROS = 1000
/** Time in which V8 optimizes anew what is hot, without the time in which the thread waits for a core. */
const SETTLE_MS = 1000
const LEAST_DELAY_MS = 100

/** One thread of the watched process, in one window. */
export interface ThreadWindow {
  /** `main`, or the name of the worker thread. */
  readonly thread: string
  readonly profile: Profiler.Profile
  readonly wallMs: number
  readonly cpuMicros: number
  /** Time in which the thread waited for a core; null if the system does not tell. */
  readonly waitedMicros: number | null
  /** The control: what the thread burnt on purpose. */
  readonly control: Control
  /** Number of HTTP requests; if they are few, of other messages that its servers have read. */
  readonly requests: number
  readonly unit: Unit
}

/** The answer of a service. */
export type Unit = 'request' | 'message'

/** A known load, in microseconds by the clock and of CPU time. */
export interface Control {
  readonly wallMicros: number
  readonly cpuMicros: number
}

/** The figures of a window in which nothing was profiled. */
export type Usage = Pick<ThreadWindow, 'wallMs' | 'cpuMicros' | 'waitedMicros' | 'requests' | 'unit'>

/** Watches a thread until `stop`. */
export class WatchedThread {
  readonly name: string
  readonly #inspected: Conversation
  readonly #handle: string
  #before: Reading

  private constructor(inspected: Conversation, handle: string, before: Reading) {
    this.name = inspected.name
    this.#inspected = inspected
    this.#handle = handle
    this.#before = before
  }

  /** @param opened whether the inspector was opened to watch, and has to be closed on this thread */
  static async start(inspected: Conversation, opened: boolean): Promise<WatchedThread> {
    const handle = await inspected.evaluateHandle(insideExpression(opened))
    return new WatchedThread(inspected, handle, await inspected.call(handle, READ))
  }

  /** Facts about the process: its version of Node.js, and the path of the script that it runs. */
  facts(): Promise<{ version: string; script: string }> {
    return this.#call('function() { return { version: this.version, script: this.script } }')
  }

  /** Lets V8 inline functions, or not, and waits until the code is optimized accordingly. */
  async setInlining(isOn: boolean): Promise<void> {
    const hasChanged = await this.#call<boolean>(`function() { return this.setInlining(${isOn}) }`)
    if (hasChanged) await this.#settle()
  }

  async #settle(): Promise<void> {
    const before = await this.#call<Reading>(READ)
    for (let settledMs = 0; settledMs < SETTLE_MS; ) {
      await delay(Math.max(LEAST_DELAY_MS, SETTLE_MS - settledMs))
      const { wallMs, waitedMicros } = difference(before, await this.#call(READ))
      settledMs = wallMs - (waitedMicros ?? 0) / 1000
    }
  }

  /** Begins a window in which nothing is profiled. */
  async mark(): Promise<void> {
    this.#before = await this.#call(READ)
  }

  /** Ends the window that `mark` began. */
  async usage(): Promise<Usage> {
    return difference(this.#before, await this.#call(READ))
  }

  async startProfile(): Promise<void> {
    await this.#inspected.send('Profiler.enable')
    await this.#inspected.send('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS })
    await this.#call('function() { this.wrap(); this.startControl() }')
    const [, before] = await Promise.all([this.#inspected.send('Profiler.start'), this.#call<Reading>(READ)])
    this.#before = before
  }

  async stopProfile(): Promise<ThreadWindow> {
    const [after, control, { profile }] = await Promise.all([
      this.#call<Reading>(READ),
      this.#call<Control>('function() { return this.stopControl() }'),
      this.#inspected.send<Profiler.StopReturnType>('Profiler.stop'),
    ])
    return {
      thread: this.name,
      profile,
      control,
      ...difference(this.#before, after),
    }
  }

  /** Keeps the code inside of the thread from stopping by itself. It has to be called every few seconds. */
  stay(): Promise<void> {
    return this.#call('function() { this.stay() }')
  }

  /** Takes back everything that watching has changed on the thread. */
  async stop(): Promise<void> {
    await this.#inspected.send('Profiler.disable')
    await this.#call('function() { this.stop() }')
  }

  /** Makes the process close the port of its inspector, soon after this connection is closed. */
  closeInspectorSoon(): Promise<void> {
    return this.#call('function() { this.closeInspectorSoon() }')
  }

  #call<T>(functionDeclaration: string): Promise<T> {
    return this.#inspected.call(this.#handle, functionDeclaration)
  }
}

const READ = 'function() { return this.read() }'

/** More messages than this for each request, and they are what the service answers. */
const MOST_MESSAGES = 10

function difference(before: Reading, after: Reading): Usage {
  const requests = after.requests - before.requests
  const messages = after.messages - before.messages
  // A service of messages may still answer requests about its health.
  const isOfMessages = messages > MOST_MESSAGES * requests
  return {
    wallMs: after.atMs - before.atMs,
    cpuMicros: after.cpuMicros - before.cpuMicros,
    waitedMicros:
      after.waitedMicros === null || before.waitedMicros === null
        ? null
        : after.waitedMicros - before.waitedMicros,
    requests: isOfMessages ? messages : requests,
    unit: isOfMessages ? 'message' : 'request',
  }
}
