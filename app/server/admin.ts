import type { Counts } from '../../lib/processes/protocol.ts'
import { type LogLevel, logLevels } from '../../lib/telemetry/logger.ts'
import type { AdminRoutes } from '../admin.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Composition } from '../concerns.ts'
import type { Usage } from './usage.ts'

interface AdminOptions {
  readonly composition: Composition
  readonly logging: Logging
  readUsage(): Promise<Usage>
  readCounts(): Counts
  /** Notes the processes of the stack that are down for a longer time. */
  setMissing(names: readonly string[]): void
}

/**
 * Adds the routes of the admin server.
 *
 *   GET /usage              CPU accounting
 *   GET /counts             numbers of log lines, spans and metric points emitted and dropped so far
 *   GET /process            the process id and the composition
 *   GET /log-level          the least important level that is logged
 *   PUT /log-level/debug    changes that level
 *   PUT /missing?names=a,b  the processes that the stack cannot keep running; /readyz names them
 *   /faults                 the fault switches, where the app has them
 */
export function addAdminRoutes(routes: AdminRoutes, options: AdminOptions): void {
  const { composition, logging, setMissing } = options
  const setLevel = (level: LogLevel) => () => {
    logging.operated.setLevel(level)
    return { level }
  }
  routes.set('GET /usage', () => options.readUsage())
  routes.set('GET /counts', () => options.readCounts())
  routes.set('GET /process', () => ({ pid: process.pid, composition }))
  routes.set('GET /log-level', () => ({ level: logging.level }))
  routes.set('PUT /missing', query => {
    const missing = (new URLSearchParams(query).get('names') ?? '').split(',').filter(Boolean)
    setMissing(missing)
    return { missing }
  })
  for (const level of logLevels) routes.set(`PUT /log-level/${level}`, setLevel(level))
}
