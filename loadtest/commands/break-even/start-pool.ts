import { join } from 'node:path'
import type { Compute } from '../../../app/concerns/compute/contract.ts'
import { implementations } from '../../../app/concerns.ts'
import { appOptions } from '../../../app/config.ts'
import { parseOptions } from '../../../lib/cli/command-line.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import type { Cell } from './cells.ts'

const silent = () => {}
const logger = loggerOf(() => silent)

/** Starts compute as the app does. */
export async function startPool(name: Cell['compute'], threads: number): Promise<Compute> {
  const defaults = parseOptions(appOptions, [], {}).values
  const options = { ...defaults, threads, tasksFile: join(import.meta.dirname, 'tasks.ts'), logger }
  return (await implementations.compute[name]()).createCompute(options)
}
