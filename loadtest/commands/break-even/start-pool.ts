import { join } from 'node:path'
import type { Compute } from '../../../app/concerns/compute/contract.ts'
import { implementations } from '../../../app/concerns.ts'
import { appOptions } from '../../../app/config.ts'
import { parseOptions } from '../../../lib/cli/command-line.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { type Cell, isRemote } from './cells.ts'

const silent = () => {}
const logger = loggerOf(() => silent)

/**
 * Starts compute as the app does.
 * @param roundTripMs the length of the way to a worker on another machine
 * @param file the tasks
 */
export async function startPool(
  name: Cell['compute'],
  threads: number,
  roundTripMs = 0,
  file = 'tasks.ts',
): Promise<Compute> {
  const defaults = parseOptions(appOptions, [], {}).values
  const options = { ...defaults, threads, tasksFile: join(import.meta.dirname, file), logger }
  if (isRemote(name)) return (await import('./remote-pool.ts')).startRemotePool(options, roundTripMs)
  return (await implementations.compute[name]()).createCompute(options)
}
