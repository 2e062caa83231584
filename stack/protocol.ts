/** What the processes of a stack tell the one that started them, over Node.js's IPC channel. */
export type MemberMessage =
  | { readonly kind: 'listening'; readonly addresses: Addresses }
  /** Sent last: everything is flushed and this is what was counted. */
  | { readonly kind: 'closed'; readonly counts: Counts }

/** What a process of a stack is told by the one that started it: to finish what is in flight, and end. */
export interface StopMessage {
  readonly kind: 'stop'
}

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
