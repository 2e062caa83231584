import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { withPrefix } from '../../../lib/cli/command-line.ts'
import { STACK_DIRECTORY } from '../../../lib/processes/oversight.ts'

/** The place of this process among several instances of the app. */
export interface Place {
  /** A unique id of the instances that run together. */
  readonly group: string
  /** The number of the instance, from 1. An instance that is started again keeps its number. */
  readonly number: number
  readonly of: number
}

const VARIABLE = withPrefix('INSTANCE_PLACE')

export const placeVariable = (place: Place) => ({ [VARIABLE]: JSON.stringify(place) })

/** Whether this process has to start instances, and is none of them. */
export const isPrimary = ({ instances }: { readonly instances: number }): boolean =>
  instances > 1 && !cluster.isWorker

/** Null if this app is the only instance. */
export const place: Place | null = cluster.isWorker ? JSON.parse(process.env[VARIABLE] ?? 'null') : null

/**
 * Node.js ends an instance as soon as its primary has gone. This prevents that, so that the instance can close in
 * order. If the stack was killed, its directory has been removed before the primary ends; then the instance exits at
 * once.
 */
export function outlivePrimary(): void {
  const { worker } = cluster
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    const directory = process.env[STACK_DIRECTORY]
    if (directory !== undefined && !existsSync(directory)) process.exit()
  })
}
