/** A process of a stack, and what it makes known of itself. */
export interface Member {
  readonly name: string
  readonly addresses: Addresses
  /** Finishes requests in flight, flushes, and releases everything. It returns the `Counts` of this process, if it has some. */
  close(): Promise<unknown>
  /** The time that `close` may take, in milliseconds; then the process is killed. Without it there is no limit. */
  readonly stopLimitMs?: number
}

/** Messages of the processes of a stack to the process that started them, over Node.js's IPC channel. */
export type MemberMessage =
  | ListeningMessage
  /** The last message: everything is flushed, and these are the counts. */
  | { readonly kind: 'closed'; readonly counts: Counts }
  /** The process got SIGTERM. The stack finds out whether the signal was meant for this process alone. */
  | { readonly kind: 'terminated' }
  | BreakMessage
  /** Asks to end the fault with this id. */
  | { readonly kind: 'mend'; readonly id: number }

/** The first message. */
export interface ListeningMessage {
  readonly kind: 'listening'
  readonly addresses: Addresses
}

/** Messages to a process of a stack from the process that started it. */
export type StackMessage =
  /** Asks the process to finish the requests in flight, and to end. */
  | { readonly kind: 'stop' }
  /** Delays every answer by `byMs` from now on. Only orders handles this message. */
  | { readonly kind: 'slow'; readonly byMs: number }
  /** The answer to a `break`; `refusal` is the reason if the fault was refused. */
  | { readonly kind: 'broken'; readonly id: number; readonly refusal: string | null }

/** A request of the app's fault switches to break another process of the stack for a time. */
export interface BreakMessage {
  readonly kind: 'break'
  readonly id: number
  readonly member: string
  readonly how: Breakage
  readonly forMs: number
}

/** The process is killed and not started again, or stopped by SIGSTOP, or slow with every answer. */
export type Breakage = 'killed' | 'stalled' | 'slow'

/**
 * The URLs of a process by the name of the server, such as `{ http: 'http://127.0.0.1:3000', admin:
 * 'http://127.0.0.1:3002' }`.
 */
export type Addresses = Readonly<Record<string, string>>

/** Data that can be lost on its way out of the process and is therefore counted. */
export const signals = ['logLines', 'spans', 'metricPoints'] as const
export type Signal = (typeof signals)[number]

/** Each process reports only the counts that it has: the app emits and drops, a sidecar delivers. */
export type Counts = Partial<Record<Signal, Partial<SignalCounts>>>

/** A rejected one was refused for good by its destination, and is kept in a dead-letter file. Only log lines are ever rejected. */
const countNames = ['emitted', 'delivered', 'dropped', 'rejected'] as const
export type SignalCounts = Record<(typeof countNames)[number], number>

/** The sum of the counts of several processes. */
export const sumCounts = (counts: readonly Counts[]): Counts =>
  Object.fromEntries(signals.map(signal => [signal, sumOf(counts.map(each => each[signal] ?? {}))]))

const sumOf = (counts: readonly Partial<SignalCounts>[]): Partial<SignalCounts> =>
  Object.fromEntries(
    countNames.map(name => [name, counts.reduce((total, each) => total + (each[name] ?? 0), 0)]),
  )
