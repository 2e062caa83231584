import { concerns } from '../../app/concerns.ts'

/** What the time of a thread goes to: the concerns, and what belongs to none. */
export const slices = [
  ...concerns,
  /** The service's own logic: routes, requests, upstream's data on their way. */
  'application',
  /** Sockets, HTTP and its parsing, in JavaScript. */
  'http',
  /** What is left of Node.js in JavaScript: timers, promises, queues. */
  'runtime',
  'gc',
  /** Awake, and not in JavaScript: the event loop, the kernel on its behalf, compiling. */
  'native',
] as const
export type Slice = (typeof slices)[number]

/** A thread's CPU time in the profiled window, split. Shares are of `cpuMicros`, and are not scaled to add up to 1. */
export interface ThreadSpectrum {
  /** `main`, or what the thread was named. */
  readonly thread: string
  /** CPU microseconds a good response, by `threadCpuUsage` on the thread. */
  readonly cpuMicros: number
  readonly shares: Readonly<Record<Slice, number>>
  /** Below zero when the profile saw more than was used: a thread that had to wait for a core. */
  readonly unattributed: number
  /** V8's profile, beside the results. */
  readonly profile: string
}

/** The main thread of one row, from a profiled sample apart from those that are measured. */
export interface Spectrum extends ThreadSpectrum {
  readonly windowMs: number
  /** Good responses in it. */
  readonly responses: number
  /** The other threads that run JavaScript. */
  readonly threads: readonly ThreadSpectrum[]
  /** Whether the main thread and V8's sampling threads had cores of their own. */
  readonly apart: boolean
  /** How often it was profiled: until nothing went wrong, four times at most. */
  readonly attempts: number
  /** What went wrong in the profiled sample, so that it is in doubt; null when nothing did. */
  readonly reason: string | null
}
