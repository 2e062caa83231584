import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Addresses, Counts } from '../../lib/processes/protocol.ts'
import type { Compute } from '../concerns/compute/contract.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import type { Composition } from '../concerns.ts'
import type { AppConfig } from '../config.ts'
import type { ApiRoute } from '../route.ts'
import type { Pool } from './pools.ts'

/** The app before it listens, as its extras see it. */
export interface ExtraContext {
  readonly config: AppConfig
  readonly composition: Composition
  readonly compute: Compute
  readonly rendering: Rendering
  readonly logging: Logging
  readonly pools: readonly Pool[]
  readCounts(): Counts
}

/** A part of the app that teaches no step, such as the front page. It adds only those members that it needs. */
export interface Extra {
  /** Makes routes, from those of the app and of the extras above it in the table. */
  routes?(routes: readonly ApiRoute[]): readonly ApiRoute[]
  /** Is told of each answered request. @param startedAtMs by `performance.now()` */
  record?(isGood: boolean, startedAtMs: number): void
  /** Protects the public server. */
  protect?(server: Server): void
  /** Answers the requests of the admin server whose path begins with `path`. */
  readonly admin?: AdminRoutes
  /** The faults that are switched on. */
  readFaults?(): readonly RunningFault[]
  listening?(addresses: Addresses): void
  /** Is called when the app begins to stop. */
  stopping?(): void
  close?(): void
}

export interface AdminRoutes {
  readonly path: string
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** A fault that is switched on; times by the monotonic clock. */
export interface RunningFault {
  readonly id: number
  readonly name: string
  readonly startedAtMs: number
  readonly endsAtMs: number
}

/** @returns undefined where this app does not need the extra */
export type CreateExtra = (app: ExtraContext, others: readonly Extra[]) => Extra | undefined
