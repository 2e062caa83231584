import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Compute } from '../app/concerns/compute/contract.ts'
import type { PoolOptions } from '../app/concerns/compute/library-pool.ts'
import { createCompute } from '../app/concerns/compute/nats.ts'
import { type RunningProcess, startProcess } from '../lib/processes/start-process.ts'
import { natsServerPath, prepareNatsServer } from '../stack/nats.ts'
import { connectNats } from '../workers/remote/connect.ts'
import { RemoteWorker } from '../workers/remote/worker.ts'
import { until } from './faults/fault.ts'

/** The reason why tests with a server of NATS are skipped; false if it is installed. */
export const withoutNats = natsServerPath === undefined && 'nats-server is not installed'

/** Starts a server that can be killed and started again at the same place. */
export async function startServer() {
  const directory = mkdtempSync(join(tmpdir(), 'nats-'))
  const { member, url } = await prepareNatsServer(directory)
  const start = () => startProcess({ ...member, echo: false })
  let running: RunningProcess = await start()
  return {
    url,
    async restart() {
      running.signal('SIGKILL')
      await running.ended
      running = await start()
    },
    async stop() {
      await running.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

let workers = 0

/** Starts a worker in this process. `vanish` breaks its connection, as if its machine had lost its power. */
export async function startWorker(url: string, options: PoolOptions) {
  const name = `worker ${++workers}`
  const connection = await connectNats(url, name)
  const worker = await RemoteWorker.start(connection, {
    ...options,
    name,
    aheadMs: 20,
    note() {},
  })
  return { name, close: () => worker.close(), vanish: () => connection.close() }
}

/** Starts the app's side. Resolves once it knows `slots` places of workers. */
export async function startApp(url: string, options: PoolOptions, slots = 1): Promise<Compute> {
  const compute = await createCompute({ ...options, nats: url })
  await until(async () => ((await compute.operated?.readPool?.())?.size ?? 0) >= slots)
  return compute
}
