import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { STACK_DIRECTORY } from '../../lib/processes/join-stack.ts'

/** Which of several instances of the app this process is. */
export interface Place {
  /** The instances that belong together; of no others that ever were. */
  readonly group: string
  /** From 1. One that is started again keeps the number of the one that died. */
  readonly number: number
  /** How many there are. */
  readonly of: number
}

const VARIABLE = 'INSTANCE_PLACE'

/** What the environment of an instance says of its place. */
export const placeVariable = (place: Place) => ({ [VARIABLE]: JSON.stringify(place) })

/** Null where the app is one process. */
export const place: Place | null = cluster.isWorker ? JSON.parse(process.env[VARIABLE] as string) : null

/**
 * Node.js ends an instance as soon as its primary is gone; this leaves it to the instance to close in order. Unless the
 * stack has ended at once: then its directory is gone before the primary is.
 */
export function outlivePrimary(): void {
  const { worker } = cluster
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    const directory = process.env[STACK_DIRECTORY]
    if (directory !== undefined && !existsSync(directory)) process.exit()
  })
}
