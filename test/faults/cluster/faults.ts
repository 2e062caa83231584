import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess } from '../../../lib/processes/start-process.ts'
import { seededRandom } from '../../../lib/random.ts'
import { natsServerPath, prepareNatsServer } from '../../../stack/nats.ts'
import { logPlaces, memberOf, startStack } from '../../stack-parts.ts'
import { askTasks, Clients, type Tally } from '../clients.ts'
import { count, type Fault, renderTally, until } from '../fault.ts'
import { assertClosed, PAUSE_MS, receivedSpans, startRequests } from '../loaded-stack.ts'
import { step } from '../protocol.ts'
import { slowOne } from './slow-worker.ts'
import { WorkerMachine } from './worker-machine.ts'

const SETTLED = 50
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

const needs = () => (natsServerPath ? undefined : 'nats-server is not installed')

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

/** Workers on machines of their own. */
export const clusterFaults: readonly Fault[] = [
  {
    // Requests are refused meanwhile, and apm-agent takes all metrics and spans, also those that say that there is no worker.
    name: 'the only worker is away',
    seconds: 15,
    quickSeconds: 15,
    needs,
    async run(directory, seconds) {
      const stack = await startStack({
        composition: { ...step.composition, compute: 'nats', serialization: 'compiled', upstream: 'main' },
        app: { ...logPlaces(directory), metricIntervalMs: 1000 },
      })
      const url = `${stack.address('app')}/cpu?size=1`
      await until(async () => (await fetch(url)).status === 200)
      const requests = startRequests(url, 1, PAUSE_MS)
      await requests.answered(SETTLED)
      const [worker, agent] = [memberOf(stack, 'worker'), memberOf(stack, 'apm-agent')]
      worker.signal('SIGSTOP')
      await until(async () => (await fetch(url)).status === 503)
      const before = await receivedSpans(agent)
      await delay(seconds * 1000)
      assert.ok((await receivedSpans(agent)) > before, 'apm-agent received no span meanwhile')
      worker.signal('SIGCONT')
      await requests.answered(SETTLED)
      const { good, failures } = await requests.stop()
      const { restarts } = agent
      const counts = await stack.stop()
      assert.equal(restarts, 0, 'apm-agent died')
      // The request whose task the worker had taken ends at its deadline.
      const { 503: refused = 0, 504: late = 0, ...others } = failures
      assert.deepEqual([refused > 0, late <= 1, others], [true, true, {}], renderTally(failures))
      assertClosed(counts)
      for (const { dropped } of Object.values(counts)) assert.equal(dropped, 0, 'something was dropped')
      return `${renderTally(failures)} meanwhile; ${good} good answers before and after; ${counts.spans?.emitted} spans and ${counts.metricPoints?.emitted} metric points, none lost`
    },
  },
  {
    name: 'workers 1 ms away are killed, partitioned and added at random, and NATS is killed twice',
    seconds: 120,
    quickSeconds: 20,
    needs,
    async run(directory, seconds, { seed, progress }) {
      const { member, url } = await prepareNatsServer(directory)
      const startServer = () => startProcess({ ...member, echo: false })
      let server = await startServer()
      const workers: WorkerMachine[] = []
      const add = async () => void workers.push(await WorkerMachine.add(url))
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
      const passed = () => (performance.now() - startedAtMs) / (seconds * 1000)
      try {
        while (passed() < 1) {
          const isServerDue = passed() >= (SERVER_KILLS[happened['NATS killed'] as number] ?? 2)
          const others =
            workers.length < AT_MOST ? ['added', 'killed', 'partitioned'] : ['killed', 'partitioned']
          const what = isServerDue ? 'NATS killed' : pick(others)
          count(happened, what)
          progress(`seed ${seed}: ${what}; so far ${describe(clients.tally)}`)
          if (what === 'NATS killed') {
            server.signal('SIGKILL')
            await server.ended
            server = await startServer()
          } else if (what === 'added') await add()
          else
            running.push(faults[what as keyof typeof faults](pick(workers), stepMs * (0.2 + 0.6 * random())))
          await delay(stepMs)
        }
        await Promise.all(running)
        await stopLoad()
        assertClosed(await stack.stop())
        const { failed, wrong, hung, good } = clients.tally
        const unnamed = Object.keys(failed).filter(each => !NAMED.test(each))
        assert.deepEqual(unnamed, [], 'failures that the docs do not name')
        assert.deepEqual([wrong, hung], [{}, 0], 'answers that nothing explains, requests that hung')
        assert.ok(good > 0)
        return `seed ${seed}: ${renderTally(happened)}; ${describe(clients.tally)}; all ledgers closed`
      } finally {
        await Promise.all(workers.map(worker => worker.close()))
        await server.stop()
      }
    },
  },
  {
    name: 'one of three workers at a quarter of its speed gets less work: p99 stays below 1.5 times that of three equal ones',
    seconds: 20,
    quickSeconds: 4,
    alone: 'always',
    needs,
    run: slowOne,
  },
]

const describe = ({ good, failed }: Tally) => `${good} right answers, ${renderTally(failed)} failed`
