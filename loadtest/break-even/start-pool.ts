import { join } from 'node:path'
import type { Compute } from '../../app/concerns/compute/contract.ts'
import { loggerOf } from '../../app/concerns/logging/logger-of.ts'
import { type Implementation, implementations } from '../../app/concerns.ts'
import { appOptions } from '../../app/config.ts'
import { parseOptions } from '../../lib/command-line.ts'

const silent = () => {}
const logger = loggerOf(() => silent)

/** Starts compute as the app does, with the task of this measurement. */
export async function startPool(name: Implementation<'compute'>, threads: number): Promise<Compute> {
  const { createCompute } = await implementations.compute[name]()
  const defaults = parseOptions(appOptions, [], {}).values
  return createCompute({ ...defaults, threads, tasksFile: join(import.meta.dirname, 'tasks.ts'), logger })
}
