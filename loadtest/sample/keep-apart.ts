import { availableParallelism } from 'node:os'
import { UserError } from '../../lib/cli/user-error.ts'
import type { RunningStack } from '../../stack/stack.ts'
import { pin, readCores } from './cores.ts'
import { listDescendants } from './machine.ts'
import type { Row } from './rows.ts'

/** The cores of each part of a sample. Parts share cores where there are too few. */
export interface Places {
  readonly mainThread: readonly number[]
  /** All other threads of the app, and its sidecars. */
  readonly pools: readonly number[]
  /** The load generator, `orders` and the load test itself. */
  readonly load: readonly number[]
}

/**
 * Shares out cores: the main thread has one of its own. The last of three or more is for the load.
 * @throws UserError when there are fewer than two cores
 */
export function shareOutCores(cores: readonly number[]): Places {
  const [first, ...others] = cores
  if (first === undefined || others.length === 0)
    throw new UserError('--pin needs two cores or more, on Linux; leave it out')
  const pools = others.length > 1 ? others.slice(0, -1) : others
  return { mainThread: [first], pools, load: others.slice(-1) }
}

/** The places on this machine, chosen before any process is kept on some of its cores. */
let places: Places | undefined

/** @throws UserError when this machine cannot keep the parts of a sample apart */
export function choosePlaces(): Places {
  places ??= shareOutCores(availableParallelism() > 1 ? readCores(process.pid) : [])
  return places
}

/**
 * Keeps the main thread of the app, its pools with the sidecars, and the load on cores of their own. The app must have
 * answered all kinds of requests before, because threads that the main thread starts later run on its core.
 * @throws UserError when the system cannot pin processes, or the app has several main threads
 */
export function keepApart({ processes }: RunningStack, { app }: Row): void {
  if ((app?.instances ?? 1) > 1)
    throw new UserError('--pin gives one main thread a core of its own; leave out --pin or --instances')
  const { mainThread, pools, load } = choosePlaces()
  pin(process.pid, load)
  for (const { name, pid } of processes) {
    for (const id of [pid, ...listDescendants(pid)]) pin(id, name === 'orders' ? load : pools)
    if (name === 'app') pin(pid, mainThread, 'main thread')
  }
}
