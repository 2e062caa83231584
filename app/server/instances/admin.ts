import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { guardServer } from '../../../lib/http/guard.ts'
import { refuse, respond } from '../../../lib/http/respond.ts'
import { type Counts, sumCounts } from '../../../lib/processes/protocol.ts'
import type { Composition } from '../../concerns.ts'
import type { Usage } from '../usage.ts'
import type { InstancesUsage } from './usage.ts'

const LIMIT_MS = 10_000

interface InstancesAdminOptions {
  readonly composition: Composition
  /** Base URLs of the admin servers of the running instances, in the order of the instances. */
  instances(): readonly string[]
  sumUsages(usages: readonly Usage[]): InstancesUsage
  /** Called with the path of a `PUT` that the instances accepted. */
  onChanged(path: string): void
}

/**
 * The admin server of an app with several instances. Each instance has its own; this one requests them all:
 *
 *   GET /usage, /counts   sums; for usage also the values of each instance, in `instances`
 *   GET /process          the primary, and its `instances`
 *   anything else         is sent to every instance; the answer is that of the first, and unless it is a list it has the
 *                         answers of all in `instances`
 */
export function createInstancesAdmin(options: InstancesAdminOptions): Server {
  const merge: Readonly<Record<string, (bodies: readonly unknown[]) => unknown>> = {
    'GET /usage': usages => options.sumUsages(usages as Usage[]),
    'GET /counts': counts => sumCounts(counts as Counts[]),
    'GET /process': instances => ({ pid: process.pid, composition: options.composition, instances }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url } = request
    const asked = await Promise.all(options.instances().map(instance => ask(instance, request)))
    const answers = asked.filter(answer => answer !== undefined)
    const [first] = answers
    if (!first) return refuse(response, 503, 'NOT_READY', 'no instance is running')
    const refusal = answers.find(({ status }) => status >= 400)
    if (refusal) return respond(response, refusal.status, refusal.type, refusal.text)
    if (method === 'PUT') options.onChanged(url as string)
    const bodies = answers.map(({ text }) => JSON.parse(text))
    const merged = merge[`${method} ${url}`]?.(bodies) ?? withEach(bodies)
    respond(response, 200, 'application/json', JSON.stringify(merged))
  }
  // Instances see only this process as their client, so the check of hosts and origins has to happen here.
  const server = createServer(answer)
  guardServer(server)
  return server
}

/**
 * A list, such as the list of faults, has no field for the other answers: only that of the first instance is returned.
 */
const withEach = ([first, ...others]: readonly unknown[]): unknown =>
  Array.isArray(first) ? first : { ...(first as object), instances: [first, ...others] }

/** Returns undefined for an instance that is ending, or does not answer in time. */
async function ask(instance: string, { method = 'GET', url, headers: { authorization } }: IncomingMessage) {
  try {
    const answer = await fetch(`${instance}${url}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type') as string,
      text: await answer.text(),
    }
  } catch {
    return undefined
  }
}
