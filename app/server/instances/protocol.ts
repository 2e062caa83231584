import type { Addresses, Counts } from '../../../lib/processes/protocol.ts'

/** The name of the threads of `--instances-as threads`, by which the system lists them. */
export const INSTANCE_THREAD = 'instance'

/** Messages of an instance in a thread to the thread that started it. */
export type InstanceMessage =
  | { readonly kind: 'listening'; readonly addresses: Addresses }
  /** The instance did not start; the reason is for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The last message: everything is flushed, and these are the counts. */
  | { readonly kind: 'closed'; readonly counts: Counts }

/** The only message to an instance in a thread: finish the requests in flight, and end. */
export type PrimaryMessage = { readonly kind: 'stop' }
