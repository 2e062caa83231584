import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { seededRandom } from '../../../lib/random.ts'
import { prepareNatsServer } from '../../../stack/nats.ts'
import { logPlaces, startStack } from '../../stack-parts.ts'
import { askTasks, Clients, type Tally } from '../clients.ts'
import { type Circumstances, count, renderTally } from '../fault.ts'
import { assertClosed } from '../loaded-stack.ts'
import { step } from '../protocol.ts'
import { WorkerMachine } from './worker-machine.ts'

const CLIENTS = 24
const SIZE = 11
const WORKERS = 3
const AT_MOST = 5
const BUDGET_MS = 10_000
const MARGIN_MS = 2000
const STEPS_AT_LEAST = 6
const STEP_MS = 5000
/** The failures that the docs name, by the code in the body. */
const NAMED = / (OVERLOADED|DEADLINE_PASSED|ANSWER_LATE)$/
/** Shares of the duration after which the server of NATS is killed. */
const SERVER_KILLS = [0.35, 0.7]

/** The faults of workers, with their words for the progress. `lastsMs` is how long a worker is away. */
const faults = {
  async killed(worker: WorkerMachine, lastsMs: number) {
    await worker.kill()
    await delay(lastsMs)
    worker.start()
  },
  async partitioned(worker: WorkerMachine, lastsMs: number) {
    worker.unplug()
    await delay(lastsMs)
    worker.plug()
  },
} as const
const program = { flags: ['--threads', '1', '--port', '0'] }

/** Kills, partitions and adds workers at random, and kills NATS twice, under load. */
export async function breakWorkers(directory: string, seconds: number, { seed, progress }: Circumstances) {
  const { member, url } = await prepareNatsServer(directory)
  const startServer = () => startProcess({ ...member, echo: false })
  let server = await startServer()
  const workers: WorkerMachine[] = []
  const add = async () => void workers.push(await WorkerMachine.add(url, program))
  for (let number = 0; number < WORKERS; number++) await add()
  const stack = await startStack({
    composition: { ...step.composition, compute: 'nats', logging: 'sidecar', apm: 'sidecar' },
    app: { ...logPlaces(directory), nats: url, requestTimeoutMs: BUDGET_MS },
    loggerTransport: { keptFiles: 100_000 },
  })
  const clients = new Clients(stack.address('app'), askTasks(SIZE), BUDGET_MS + MARGIN_MS)
  const stopLoad = clients.startClosedLoop(CLIENTS)
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
    await stopLoad()
    assertClosed(await stack.stop())
    const { failed, wrong, hung, good } = clients.tally
    assert.deepEqual(
      Object.keys(failed).filter(each => !NAMED.test(each)),
      [],
      'failures that the docs do not name',
    )
    assert.deepEqual([wrong, hung], [{}, 0], 'answers that nothing explains, requests that hung')
    assert.ok(good > 0)
    return `seed ${seed}: ${renderTally(happened)}; ${describe(clients.tally)}; all ledgers closed`
  } finally {
    await Promise.all(workers.map(worker => worker.close()))
    await server.stop()
  }
}

const describe = ({ good, failed }: Tally) => `${good} right answers, ${renderTally(failed)} failed`
