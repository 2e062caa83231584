import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Compute } from '../../../app/concerns/compute/contract.ts'
import { createCompute } from '../../../app/concerns/compute/nats.ts'
import type { PoolOptions } from '../../../app/concerns/compute/pool-options.ts'
import { variableName } from '../../../lib/cli/command-line.ts'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { workerMember } from '../../../stack/nats.ts'
import { prepareNatsServer } from '../../../stack/nats-server.ts'

const LOOK_AGAIN_MS = 20

/**
 * Starts compute over NATS, with a server and a worker on this machine. The way to the worker is longer by a round
 * trip of `roundTripMs`, which a relay adds.
 */
export async function startRemotePool(options: PoolOptions, roundTripMs: number): Promise<Compute> {
  const directory = mkdtempSync(join(tmpdir(), 'break-even-'))
  const { member, url } = await prepareNatsServer(directory)
  const server = await startProcess({ ...member, echo: false })
  const relay = roundTripMs > 0 ? await startRelay(url, roundTripMs) : undefined
  const worker = await startProcess({
    ...workerMember(options, options.tasksFile),
    env: { ...process.env, [variableName('nats')]: relay?.url ?? url },
    echo: false,
  })
  const compute = await createCompute({ ...options, nats: url })
  while ((await compute.operated?.readPool?.())?.size !== options.threads) await delay(LOOK_AGAIN_MS)
  return {
    ...compute,
    async close() {
      await compute.close()
      await worker.stop()
      relay?.stop()
      await server.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

async function startRelay(server: string, delayMs: number) {
  const url = new URL(server)
  const relay = fork(join(import.meta.dirname, 'relay.ts'), ['0', url.hostname, url.port, String(delayMs)])
  const [port] = await once(relay, 'message')
  url.port = String(port)
  return { url: url.href, stop: () => relay.kill() }
}
