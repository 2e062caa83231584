import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { seededRandom } from '../../../lib/random.ts'
import { prepareNatsServer } from '../../../stack/nats-server.ts'
import { logPlaces, startStack } from '../../stack-parts.ts'
import type { Circumstances } from '../fault.ts'
import { count, renderTally } from '../fault.ts'
import { step } from '../protocol.ts'
import { startClients } from './clients.ts'
import { Network } from './network.ts'
import { WorkerMachine } from './worker-machine.ts'

const WORKERS = 3
const AT_MOST = 5
const BUDGET_MS = 10_000
const MARGIN_MS = 2000
const STEPS_AT_LEAST = 6
const STEP_MS = 5000
/** Shares of the duration after which the server of NATS is killed. */
const SERVER_KILLS = [0.35, 0.7]

/** The faults of workers, with their words for the progress. `lastsMs` is how long a worker is away. */
const faults = {
  async killed(worker: WorkerMachine, lastsMs: number) {
    await worker.kill()
    await delay(lastsMs)
    worker.start()
  },
  async partitioned({ machine }: WorkerMachine, lastsMs: number) {
    machine.unplug()
    await delay(lastsMs)
    machine.plug()
  },
} as const
const program = { file: 'workers/remote.ts', flags: ['--threads', '1', '--port', '0', '--host', '127.0.0.1'] }

/** Kills, partitions and adds workers at random, and kills NATS twice, under load. */
export async function breakWorkers(directory: string, seconds: number, { seed, progress }: Circumstances) {
  const network = new Network()
  const { member, url } = await prepareNatsServer(directory, network.address)
  const startServer = () => startProcess({ ...member, echo: false })
  let server = await startServer()
  const workers: WorkerMachine[] = []
  const add = async () => void workers.push(await WorkerMachine.add(network, url, program))
  for (let number = 0; number < WORKERS; number++) await add()
  const stack = await startStack({
    composition: { ...step.composition, compute: 'nats', logging: 'sidecar', apm: 'sidecar' },
    app: { ...logPlaces(directory), nats: url, requestTimeoutMs: BUDGET_MS },
    loggerTransport: { keptFiles: 100_000 },
  })
  const clients = startClients(stack.address('app'), BUDGET_MS + MARGIN_MS)
  const random = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const stepMs = Math.min(STEP_MS, (seconds * 1000) / STEPS_AT_LEAST)
  const happened: Record<string, number> = { 'NATS killed': 0, added: 0, killed: 0, partitioned: 0 }
  const running: Promise<void>[] = []
  const startedAtMs = performance.now()
  const isDue = () =>
    performance.now() - startedAtMs >= seconds * 1000 * (SERVER_KILLS[happened['NATS killed'] as number] ?? 2)
  try {
    while (performance.now() - startedAtMs < seconds * 1000) {
      const what = isDue()
        ? 'NATS killed'
        : pick(workers.length < AT_MOST ? ['added', 'killed', 'partitioned'] : ['killed', 'partitioned'])
      count(happened, what)
      progress(`seed ${seed}: ${what}; so far ${describe(clients.tally)}`)
      if (what === 'NATS killed') {
        server.signal('SIGKILL')
        await server.ended
        server = await startServer()
      } else if (what === 'added') await add()
      else running.push(faults[what as keyof typeof faults](pick(workers), stepMs * (0.2 + 0.6 * random())))
      await delay(stepMs)
    }
    await Promise.all(running)
    await clients.stop()
    const ledger = await stack.stop()
    for (const [signal, { emitted = 0, delivered = 0, dropped = 0 }] of Object.entries(ledger))
      assert.equal(delivered + dropped, emitted, `the ledger of ${signal} is open: ${JSON.stringify(ledger)}`)
    const { wrong, hung, good } = clients.tally
    assert.deepEqual(wrong, {}, 'answers that nothing explains')
    assert.equal(hung, 0, 'requests that hung')
    assert.ok(good > 0)
    return `seed ${seed}: ${renderTally(happened)}; ${describe(clients.tally)}; all ledgers closed`
  } finally {
    await Promise.all(workers.map(worker => worker.close()))
    await server.stop()
    network.close()
  }
}

const describe = ({ good, failed }: ReturnType<typeof startClients>['tally']) =>
  `${good} right answers, ${renderTally(failed)} failed`
