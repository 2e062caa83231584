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
