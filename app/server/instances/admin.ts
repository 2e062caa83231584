import { createServer, type IncomingMessage, type Server } from 'node:http'
import { guardServer } from '../../../lib/http/guard.ts'
import { refuse, respond } from '../../../lib/http/respond.ts'
import { readProcessUsage } from '../../../lib/os/usage.ts'
import { type Counts, sumCounts } from '../../../lib/processes/protocol.ts'
import type { SupervisedProcess } from '../../../lib/processes/supervise-process.ts'
import type { Composition } from '../../concerns.ts'
import type { Usage } from '../usage.ts'

const LIMIT_MS = 10_000

/**
 * The admin server of an app with several instances. Each instance has its own; this one requests them all:
 *
 *   GET /usage, /counts   sums
 *   GET /process          the primary, and its `instances`
 *   anything else         is sent to every instance; the answer is that of the first
 */
export function createInstancesAdmin(
  composition: Composition,
  running: readonly SupervisedProcess[],
): Server {
  const merge: Readonly<Record<string, (bodies: readonly unknown[]) => unknown>> = {
    'GET /usage': usages => sumUsages(usages as Usage[], running),
    'GET /counts': counts => sumCounts(counts as Counts[]),
    'GET /process': instances => ({ pid: process.pid, composition, instances }),
  }
  // Instances see only this process as their client, so the check of hosts and origins has to happen here.
  const server = createServer(async (request, response) => {
    const asked = await Promise.all(running.map(({ addresses }) => ask(`${addresses.admin}`, request)))
    const answers = asked.filter(answer => answer !== undefined)
    const [first] = answers
    if (!first) return refuse(response, 503, 'NOT_READY', 'no instance is running')
    const refusal = answers.find(({ status }) => status >= 400)
    if (refusal) return respond(response, refusal.status, refusal.type, refusal.text)
    const merged = merge[`${request.method} ${request.url}`]?.(answers.map(({ text }) => JSON.parse(text)))
    respond(response, 200, 'application/json', merged ? JSON.stringify(merged) : first.text)
  })
  guardServer(server)
  return server
}

/** Returns undefined for an instance that has ended, or does not answer in time. */
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

/**
 * Adds up what the instances have used. The total includes the primary, through which no requests pass: it accepts connections and
 * hands each to an instance.
 */
function sumUsages(usages: readonly Usage[], running: readonly SupervisedProcess[]): Usage {
  const { atMs, total, ...others } = usages.reduce(add)
  return {
    ...others,
    atMs: atMs / usages.length,
    total: add(total, readProcessUsage()),
    restarts: running.reduce((sum, { restarts }) => sum + restarts, 0),
  }
}

/** Adds each number of two usages, or of parts of them; what one of them does not know is null. */
function add<Part>(one: Part, other: Part): Part {
  if (one === null || other === null) return null as Part
  if (typeof one === 'number') return (one + Number(other)) as Part
  const others = other as Record<string, unknown>
  const sums = Object.entries(one as object).map(([key, value]) => [key, add(value, others[key])])
  return Object.fromEntries(sums) as Part
}
