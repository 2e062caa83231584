import type { HeapProfiler, Profiler } from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import type { Conversation } from '../../loadtest/spectrum/inspector.ts'
import { type Inside, insideExpression } from './inside.ts'

/** A sample each millisecond. */
const INTERVAL_MICROS = 1000
/** A sample of the heap for so many bytes, so that a service that allocates 100 MB a second has two hundred. */
const HEAP_SAMPLING = {
  samplingInterval: 2 ** 19,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
}
/** Time in which V8 optimizes anew what is hot, without the time in which the thread waits for a core. */
const SETTLE_MS = 1000
const LEAST_DELAY_MS = 100

/** The answer of a service. */
export type Unit = 'request' | 'message'

/** The figures of a thread in one window. */
export type Usage = ReturnType<typeof difference>

/** One thread of the watched process, in one window in which it was profiled. */
export interface ThreadWindow extends Usage {
  /** `main`, or the name of the worker thread. */
  readonly thread: string
  readonly profile: Profiler.Profile
  /** What was allocated, also what was collected meanwhile. */
  readonly heap: HeapProfiler.SamplingHeapProfile
  /** The CPU time that the thread burnt on purpose. */
  readonly control: ReturnType<Inside['stopControl']>
}

/** A thread that is watched until `stop`. */
export type WatchedThread = Awaited<ReturnType<typeof watchThread>>

/** @param opened whether the inspector was opened to watch, and has to be closed on this thread */
export async function watchThread(inspected: Conversation, opened: boolean) {
  const handle = await inspected.evaluateHandle(insideExpression(opened))

  /** Calls a function of the code inside of the thread. */
  const call = <Name extends keyof Inside>(
    name: Name,
    ...args: Parameters<Inside[Name]>
  ): Promise<ReturnType<Inside[Name]>> =>
    inspected.call(
      handle,
      `function() { return this.${name}(${args.map(arg => JSON.stringify(arg)).join()}) }`,
    )

  async function settle(): Promise<void> {
    const before = await call('read')
    for (let settledMs = 0; settledMs < SETTLE_MS; ) {
      await delay(Math.max(LEAST_DELAY_MS, SETTLE_MS - settledMs))
      const { wallMs, waitedMicros } = difference(before, await call('read'))
      settledMs = wallMs - (waitedMicros ?? 0) / 1000
    }
  }

  return {
    call,
    /** Speaks with the thread's inspector. */
    inspected,

    /** Lets V8 inline functions, or not, and waits until the code is optimized accordingly. */
    async setInlining(isOn: boolean): Promise<void> {
      if (await call('setInlining', isOn)) await settle()
    },

    /** @returns a function that ends the profile */
    async startProfile(): Promise<() => Promise<ThreadWindow>> {
      await inspected.send('Profiler.enable')
      await inspected.send('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS })
      await call('wrap')
      await call('startControl')
      await inspected.send('HeapProfiler.startSampling', HEAP_SAMPLING)
      const [, before] = await Promise.all([inspected.send('Profiler.start'), call('read')])
      return async () => {
        const [after, control, { profile }] = await Promise.all([
          call('read'),
          call('stopControl'),
          inspected.send<Profiler.StopReturnType>('Profiler.stop'),
        ])
        const { profile: heap } =
          await inspected.send<HeapProfiler.StopSamplingReturnType>('HeapProfiler.stopSampling')
        return { thread: inspected.name, profile, heap, control, ...difference(before, after) }
      }
    },

    /** Takes back everything that watching has changed on the thread. */
    async stop(): Promise<void> {
      await inspected.send('Profiler.disable')
      await call('stop')
    },
  }
}

/** More messages than this for each request, and they are what the service answers. */
const MOST_MESSAGES = 10

type Counters = ReturnType<Inside['read']>

/** The CPU time that a thread used, and the work that it did, between two readings. */
export function difference(before: Counters, after: Counters) {
  const requests = after.requests - before.requests
  const messages = after.messages - before.messages
  // A service of messages may still answer requests about its health.
  const unit: Unit = messages > MOST_MESSAGES * requests ? 'message' : 'request'
  return {
    wallMs: after.atMs - before.atMs,
    cpuMicros: after.cpuMicros - before.cpuMicros,
    /** Time in which the thread waited for a core; null if the system does not tell. */
    waitedMicros:
      after.waitedMicros === null || before.waitedMicros === null
        ? null
        : after.waitedMicros - before.waitedMicros,
    /** Number of HTTP requests; if they are few, of other messages that its servers have read. */
    requests: unit === 'message' ? messages : requests,
    unit,
  }
}
