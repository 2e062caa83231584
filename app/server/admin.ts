import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { guard } from '../../lib/http/guard.ts'
import { splitUrl } from '../../lib/http/query.ts'
import { refuse, respond } from '../../lib/http/respond.ts'
import type { Counts } from '../../lib/processes/protocol.ts'
import { type LogLevel, logLevels } from '../../lib/telemetry/log-line.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Composition } from '../concerns.ts'
import type { AdminRoutes } from './extra.ts'
import type { RefusalCounts } from './overload/refusals.ts'
import type { Usage } from './usage.ts'

export interface AdminOptions {
  readonly composition: Composition
  readonly logging: Logging
  readUsage(): Promise<Usage>
  readCounts(): Counts
  readRefusals(): RefusalCounts
  /** Notes the processes of the stack that are down for a longer time. */
  setMissing(names: readonly string[]): void
  readonly others: readonly AdminRoutes[]
}

/**
 * The admin server. It listens on loopback only.
 *
 *   GET /usage              CPU accounting
 *   GET /counts             numbers of log lines, spans and metric points emitted and dropped so far
 *   GET /refusals           number of refused requests, and the time that each decision took
 *   GET /process            the process id and the composition
 *   GET /log-level          the least important level that is logged
 *   PUT /log-level/debug    changes that level
 *   PUT /missing?names=a,b  the processes that the stack cannot keep running; /readyz names them
 *   /faults                 the fault switches, where the app has them
 */
export function createAdminServer({
  composition,
  logging,
  readUsage,
  readCounts,
  readRefusals,
  setMissing,
  others,
}: AdminOptions): Server {
  const setLevel = (level: LogLevel) => () => {
    logging.setLevel(level)
    return { level }
  }
  const noteMissing = (names: string) => {
    const missing = names.split(',').filter(Boolean)
    setMissing(missing)
    return { missing }
  }
  const routes = new Map<string, (query: string) => unknown>([
    ['GET /usage', readUsage],
    ['GET /counts', readCounts],
    ['GET /refusals', readRefusals],
    ['GET /process', () => ({ pid: process.pid, composition })],
    ['GET /log-level', () => ({ level: logging.level })],
    ['PUT /missing', query => noteMissing(new URLSearchParams(query).get('names') ?? '')],
    ...logLevels.map(level => [`PUT /log-level/${level}`, setLevel(level)] as const),
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path, query] = splitUrl(request.url as string)
    const route = routes.get(`${request.method} ${path}`)
    if (route) return respond(response, 200, 'application/json', JSON.stringify(await route(query)))
    const other = others.find(({ path }) => request.url?.startsWith(path))
    if (other) return other.answer(request, response)
    refuse(response, 404, 'NOT_FOUND', `there is only ${[...routes.keys()].join(', ')}`)
  }
  return createServer(guard([], answer))
}
