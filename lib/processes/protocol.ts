/** What the processes of a stack tell the one that started them, over Node.js's IPC channel. */
export type MemberMessage =
  | { readonly kind: 'listening'; readonly addresses: Addresses }
  /** Sent last: everything is flushed and this is what was counted. */
  | { readonly kind: 'closed'; readonly counts: Counts }
  /** It got SIGTERM, and leaves it to the stack to find out whether that was meant for it alone. */
  | { readonly kind: 'terminated' }
  | BreakMessage
  /** What was broken under this id is to be as before. */
  | { readonly kind: 'mend'; readonly id: number }

/** What a process of a stack is told by the one that started it. */
export type StackMessage =
  /** To finish what is in flight, and end. */
  | { readonly kind: 'stop' }
  /** To take so much longer with every answer from now on. Only orders knows it. */
  | { readonly kind: 'slow'; readonly byMs: number }
  /** The answer to a `break`; `refusal` says why it was not done. */
  | { readonly kind: 'broken'; readonly id: number; readonly refusal: string | null }

/** A fault switch of the app asks that another process of the stack be broken for a time. */
export interface BreakMessage {
  readonly kind: 'break'
  readonly id: number
  readonly member: string
  readonly how: Breakage
  readonly forMs: number
}

/** Killed and not started again, stopped by SIGSTOP, or slow with every answer. */
export type Breakage = 'killed' | 'stalled' | 'slow'

/** URLs by what answers there, such as `{ http: 'http://127.0.0.1:3000', admin: 'http://127.0.0.1:3002' }`. */
export type Addresses = Readonly<Record<string, string>>

/** What can be lost on its way out of the process, and is therefore counted. */
export const signals = ['logLines', 'spans', 'metricPoints'] as const
export type Signal = (typeof signals)[number]

/** A process fills in what it has to do with: the app emits and drops, a sidecar delivers. */
export type Counts = Partial<Record<Signal, Partial<SignalCounts>>>

export interface SignalCounts {
  emitted: number
  delivered: number
  dropped: number
}
