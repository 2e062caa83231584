import { randomUUID } from 'node:crypto'
import { UserError } from '../../../lib/cli/user-error.ts'
import { closeServer, findFreePort, listen } from '../../../lib/http/listen.ts'
import { joinStack } from '../../../lib/processes/join-stack.ts'
import { sumCounts } from '../../../lib/processes/protocol.ts'
import type { SupervisedProcess } from '../../../lib/processes/supervise-process.ts'
import type { App } from '../../app.ts'
import type { AppConfig } from '../../config.ts'
import { composeFrom } from '../options.ts'
import { createInstancesAdmin } from './admin.ts'
import { startInstance } from './processes.ts'

interface Instances extends App {
  /** Resolves with a description when an instance has ended for good. */
  readonly failed: Promise<string>
}

/**
 * Runs the app as several instances, until it is stopped or an instance is given up. This process serves no requests, so it does not
 * load the code of the service.
 */
export async function runInstances(config: AppConfig): Promise<void> {
  const { addresses, close, failed } = await startInstances(config)
  const stop = joinStack({ name: 'app', addresses, close })
  process.stderr.write(`error: ${await failed}; the app is stopped\n`)
  process.exitCode = 1
  await stop()
}

/**
 * Starts the app several times, in processes that share its port. This process, the primary, sees no
 * requests. Its admin server represents all instances.
 *
 *                                             ┌──▶ instance 1 ── pools, log segments, telemetry of its own
 *   client ──▶ node:cluster ──────────────────┴──▶ instance 2 …
 *   operator ──▶ admin of the primary ── asks the admin of each instance
 *
 * @throws UserError when a port is taken, or an instance does not start
 */
async function startInstances(given: AppConfig): Promise<Instances> {
  const group = randomUUID()
  const config = { ...given, port: given.port || (await findFreePort()) }
  const running: SupervisedProcess[] = []
  const failed = Promise.withResolvers<string>()
  let closing = false

  async function start(number: number): Promise<void> {
    const started = await startInstance(config, { group, number, of: config.instances })
    running.push(started)
    void started.ended.then(what => closing || failed.resolve(what))
  }

  const admin = createInstancesAdmin(composeFrom(config), running)
  const stopAll = async () => sumCounts(await Promise.all(running.map(instance => instance.stop())))

  try {
    const adminUrl = await listen(admin, '127.0.0.1', given.adminPort, { flag: '--admin-port' })
    // The first instance is started alone, so that a failure is reported once.
    await start(1)
    await Promise.all(Array.from({ length: config.instances - 1 }, (_, index) => start(index + 2)))
    return {
      addresses: { http: running[0]?.addresses.http as string, admin: adminUrl },
      failed: failed.promise,
      async close() {
        closing = true
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
