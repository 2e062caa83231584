import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { closeServer } from '../../lib/close-server.ts'
import { findFreePort } from '../../lib/free-port.ts'
import { listen } from '../../lib/listen.ts'
import { variableName } from '../../lib/option-variables.ts'
import { sumCounts } from '../../lib/processes/counts.ts'
import type { MemberMessage } from '../../lib/processes/protocol.ts'
import { MEMBER_STDIO, type RunningProcess } from '../../lib/processes/start-process.ts'
import { superviseProcess } from '../../lib/processes/supervise-process.ts'
import { UserError } from '../../lib/user-error.ts'
import type { App } from '../app.ts'
import { type AppConfig, composeFrom } from '../config.ts'
import { newFaultToken } from '../faults/fault-routes.ts'
import { publishToken } from '../faults/token-file.ts'
import { isNeeded } from '../sidecars.ts'
import { createInstancesAdmin } from './admin.ts'
import { placeVariable } from './instance.ts'
import { closeUntakenConnections } from './untaken-connections.ts'

/**
 * Extra time for flushing logs and telemetry after requests have ended. It is less than the stack allows for the whole
 * app.
 */
const STOP_MARGIN_MS = 8000

export interface Instances extends App {
  /** Resolves with a description when an instance dies repeatedly and is given up. */
  readonly failed: Promise<string>
}

/**
 * Starts the app in several processes that share its port. This process, the primary, accepts connections and hands
 * each to the next free instance; it does not see the requests. Its admin server represents all instances.
 *
 *              ┌──────────── primary ────────────┐
 *   client ──▶ │ accept ── connections, by turns │──▶ instance 1 ── pools, log segments, telemetry of its own
 *   operator ▶ │ admin ── asks them all ─────────│──▶ instance 2 …
 *              └─────────────────────────────────┘
 *
 * @throws UserError when a port is taken, or an instance does not start
 */
export async function startInstances(config: AppConfig): Promise<Instances> {
  refuseSharedPipe(config)
  // Connections are handed out in turns (round robin). The kernel would give most connections to one instance, and a
  // kept connection stays with its instance.
  cluster.schedulingPolicy = cluster.SCHED_RR
  const group = randomUUID()
  const port = config.port || (await findFreePort())
  const adminUrls = new Map<number, string>()
  const changes = new Set<string>()
  // All instances get the same token; otherwise each would make its own.
  const token = config.faults ? (config.faultToken ?? newFaultToken()) : undefined
  const secrets = token === undefined ? {} : { [variableName('faultToken')]: token }
  const running: RunningProcess[] = []
  const failed = Promise.withResolvers<string>()
  let closing = false

  const follow = (number: number, child: ChildProcess) => {
    child.on('message', (message: MemberMessage) => {
      if (message.kind !== 'listening') return
      const admin = message.addresses.admin as string
      adminUrls.set(number, admin)
      // An instance that is started again gets the changes that were made while the app ran.
      void repeat(admin, changes)
    })
    child.once('exit', () => adminUrls.delete(number))
    return child
  }

  async function start(number: number): Promise<void> {
    const started = await superviseProcess({
      name: `instance ${number}`,
      file: '',
      flags: [...process.argv.slice(2), `--port=${port}`, '--admin-port=0'],
      echo: true,
      stopLimitMs: config.unreadyMs + config.drainTimeoutMs + STOP_MARGIN_MS,
      fork: flags =>
        follow(
          number,
          forkInstance(flags, { ...secrets, ...placeVariable({ group, number, of: config.instances }) }),
        ),
    })
    running.push(started)
    void started.ended.then(what => closing || failed.resolve(what))
  }

  const admin = createInstancesAdmin({
    composition: composeFrom(config),
    instances: () => [...adminUrls].toSorted(([one], [other]) => one - other).map(([, url]) => url),
    restarts: () => running.reduce((sum, { restarts }) => sum + restarts, 0),
    onChanged(path) {
      // Only the last change of each path is kept, in the order of the changes.
      changes.delete(path)
      changes.add(path)
    },
  })
  const stopAll = async () => sumCounts(await Promise.all(running.map(instance => instance.stop())))

  try {
    const adminUrl = await listen(admin, '127.0.0.1', config.adminPort, '--admin-port')
    // The first instance is started alone, so that a failure is reported once.
    await start(1)
    await Promise.all(Array.from({ length: config.instances - 1 }, (_, index) => start(index + 2)))
    const removeToken = token === undefined ? () => {} : publishToken(token, config.apmSocket, adminUrl)
    return {
      addresses: { http: running[0]?.addresses.http as string, admin: adminUrl },
      failed: failed.promise,
      async close() {
        closing = true
        removeToken()
        const counts = await stopAll()
        await closeServer(admin)
        return counts
      },
    }
  } catch (error) {
    await stopAll()
    throw error instanceof UserError
      ? new UserError(error.message.replace(/^instance 1 did not start: /, ''))
      : error
  }
}

/** Repeats the changes one after the other, in their original order. */
async function repeat(admin: string, changes: Iterable<string>): Promise<void> {
  for (const path of changes) await fetch(`${admin}${path}`, { method: 'PUT' }).catch(() => {})
}

/** An instance runs the same file as this process. */
function forkInstance(flags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  cluster.setupPrimary({ args: [...flags], stdio: [...MEMBER_STDIO], inspectPort: 0 })
  const { process: instance } = cluster.fork(env)
  closeUntakenConnections(instance)
  return instance
}

/** @throws UserError when several instances would write to the same pipe */
function refuseSharedPipe(config: AppConfig): void {
  if (config.logTo === 'stdout' && isNeeded('logger-transport', composeFrom(config))) {
    throw new UserError(
      'several instances cannot write whole lines to one pipe; leave out --log-to or --instances',
    )
  }
}
