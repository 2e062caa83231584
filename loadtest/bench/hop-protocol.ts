import type { RingMemory } from './hop-ring.ts'

/** A job, which asks with a query and is answered with bytes. */
export interface Job {
  readonly id: number
  readonly query: string
}

export interface Reply {
  readonly id: number
  readonly bytes: Uint8Array
}

/** Messages to the thread. Its answers are arrays of {@link Reply}. */
export type Message =
  | { readonly kind: 'jobs'; readonly jobs: readonly Job[] }
  /** There are jobs in the ring. */
  | { readonly kind: 'look' }

/** The data that the thread gets when it starts. */
export interface ThreadData {
  /** Size of the bytes of a reply. */
  readonly sizeBytes: number
  /** Whether the bytes are transferred instead of copied. */
  readonly transfers?: boolean
  /** Whether Piscina runs the thread, and calls its function `answer`. */
  readonly isPooled?: boolean
  /** The rings, and how each side wakes the other; absent if the messages themselves carry jobs and replies. */
  readonly rings?: { readonly jobs: RingMemory; readonly replies: RingMemory }
  readonly wakes?: 'port' | 'atomics'
  /** The Unix socket that brings the replies; absent if another way does. */
  readonly socketPath?: string
}
