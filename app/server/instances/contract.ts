import type { Addresses, Counts } from '../../../lib/processes/protocol.ts'
import type { AppConfig } from '../../config.ts'
import type { Usage } from '../usage.ts'
import type { Place } from './instance.ts'
import type { InstancesUsage } from './usage.ts'

/** A way to run several instances of the app: one file for each value of `--instances-as`. */
export interface InstanceKind {
  /** @throws UserError when the instance does not start */
  startInstance(options: InstanceOptions): Promise<Instance>
  /** The usage of all instances together, with everything else that the app uses. */
  sumUsages(instances: readonly Usage[], restarts: number): InstancesUsage
}

export interface InstanceOptions {
  /** The options of the app, with the port that all instances share. */
  readonly config: AppConfig
  readonly place: Place
  /** Called when the instance listens, also after each restart. */
  onListening(adminUrl: string): void
  /** Called when the instance has ended. */
  onEnded(): void
}

export interface Instance {
  readonly addresses: Addresses
  readonly restarts: number
  /** Resolves when the instance has ended for good, with a description. */
  readonly ended: Promise<string>
  /** Finishes the requests in flight, and ends the instance. */
  stop(): Promise<Counts>
}

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
