import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawExponential, seededRandom } from '../../../lib/random.ts'
import { mean } from '../../statistics/mean.ts'
import { Agenda } from './agenda.ts'
import { Cores } from './cores.ts'
import type { SimulatedThread } from './thread.ts'

const SERVICE_MICROS = 1000
const JOBS = 60_000
const TOLERANCE = 0.05

const random = seededRandom(7)
const exponential = (meanMicros: number) => drawExponential(random) * meanMicros
const constant = (micros: number) => micros

interface Station {
  readonly utilization: number
  readonly servers: number
  readonly draw: (meanMicros: number) => number
}

/** Simulates an open queue with a first in, first out line and one thread a server; mean time in it, in services. */
function simulateOpenQueue({ utilization, servers, draw }: Station): number {
  const agenda = new Agenda()
  const cores = new Cores(agenda, servers)
  const free = Array.from({ length: servers }, () => cores.thread())
  const line: number[] = []
  const times: number[] = []
  const begin = (thread: SimulatedThread, arrivedAtMicros: number) =>
    thread.work(draw(SERVICE_MICROS), () => {
      times.push(agenda.nowMicros - arrivedAtMicros)
      const next = line.shift()
      if (next === undefined) free.push(thread)
      else begin(thread, next)
    })
  const arrive = () => {
    const thread = free.pop()
    if (thread) begin(thread, agenda.nowMicros)
    else line.push(agenda.nowMicros)
    agenda.after(exponential(SERVICE_MICROS / (servers * utilization)), arrive)
  }
  arrive()
  agenda.runUntil((JOBS * SERVICE_MICROS) / (servers * utilization))
  return mean(times) / SERVICE_MICROS
}

/** Erlang's C formula: the share of arrivals that wait, for `servers` servers with this utilization each. */
function erlangC(servers: number, utilization: number): number {
  const load = servers * utilization
  let term = 1
  let sum = 0
  for (let count = 0; count < servers; count++) {
    sum += term
    term *= load / (count + 1)
  }
  const waiting = term / (1 - utilization)
  return waiting / (sum + waiting)
}

function near(actual: number, expected: number) {
  const error = actual / expected - 1
  assert.ok(Math.abs(error) < TOLERANCE, `${actual} is ${(error * 100).toFixed(1)} % off ${expected}`)
}

describe('the simulated cores and threads', () => {
  for (const utilization of [0.3, 0.8]) {
    test(`agree with M/M/1 at ${utilization}: 1 / (1 - utilization)`, () => {
      near(simulateOpenQueue({ utilization, servers: 1, draw: exponential }), 1 / (1 - utilization))
    })

    test(`agree with M/D/1 at ${utilization}, by Pollaczek and Khinchine`, () => {
      const expected = 1 + utilization / (2 * (1 - utilization))
      near(simulateOpenQueue({ utilization, servers: 1, draw: constant }), expected)
    })

    test(`agree with M/M/4 at ${utilization}, by Erlang`, () => {
      const expected = 1 + erlangC(4, utilization) / (4 * (1 - utilization))
      near(simulateOpenQueue({ utilization, servers: 4, draw: exponential }), expected)
    })
  }

  test('agree with the mean value analysis of a closed network', () => {
    const demands = [1000, 600, 300]
    const customers = 8
    const agenda = new Agenda()
    const stations = demands.map(() => new Cores(agenda, 1).thread())
    let rounds = 0
    const visit = (index: number): void => {
      const demand = demands[index]
      if (demand === undefined) {
        rounds++
        visit(0)
      } else stations[index]?.work(exponential(demand), () => visit(index + 1))
    }
    for (let customer = 0; customer < customers; customer++) visit(0)
    const durationMicros = 60e6
    agenda.runUntil(durationMicros)
    near(rounds / durationMicros, throughputByMva(demands, customers))
  })

  test('divide a core by the weights of the nice values, which differ by a factor of 9.3 at a nice value of 10', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1)
    const [normal, low] = [cores.thread(0), cores.thread(10)]
    const spin = (thread: SimulatedThread) => thread.work(500, () => spin(thread))
    spin(normal)
    spin(low)
    agenda.runUntil(20e6)
    near(normal.usedMicros + low.usedMicros, 20e6)
    near(normal.usedMicros / low.usedMicros, 1.25 ** 10)
  })

  test('let a thread wait that has the lower priority, and let it run when the other sleeps', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1)
    const [normal, low] = [cores.thread(0), cores.thread(10)]
    const finished: string[] = []
    low.work(20_000, () => finished.push('low'))
    agenda.after(5000, () => normal.work(2000, () => finished.push('normal')))
    agenda.runUntil(1e6)
    assert.deepEqual(finished, ['normal', 'low'])
    assert.equal(low.usedMicros, 20_000)
  })

  test('let a thread that wakes run at once, or at a later tick if it had more time than the one that runs', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1, { sliceMicros: 1400 })
    cores.thread().work(20_000)
    const other = cores.thread()
    const endedAtMicros: number[] = []
    const wake = (atMicros: number, cpuMicros: number) =>
      agenda.after(atMicros, () => other.work(cpuMicros, () => endedAtMicros.push(agenda.nowMicros)))
    wake(1000, 2000)
    // The tick at 4000 comes before the slice of the first thread is over, which began at 3000.
    wake(3100, 100)
    agenda.runUntil(1e6)
    assert.deepEqual(endedAtMicros, [3000, 8100])
  })

  test('start a thread on an idle core after the time that a core takes to wake', () => {
    const agenda = new Agenda()
    let endedAtMicros = 0
    new Cores(agenda, 2, { wakeMicros: 50 }).thread().work(100, () => {
      endedAtMicros = agenda.nowMicros
    })
    agenda.runUntil(1000)
    assert.equal(endedAtMicros, 150)
  })

  test('lose the share of a core that the host takes, while the CPU time of a thread does not grow', () => {
    const agenda = new Agenda()
    const thread = new Cores(agenda, 1, { stealShare: 0.2 }).thread()
    let finished = 0
    const spin = () => {
      finished++
      thread.work(500, spin)
    }
    spin()
    agenda.runUntil(60e6)
    near(thread.usedMicros, 0.8 * 60e6)
    near(finished, (0.8 * 60e6) / 500)
  })

  test('let a thread that wakes wait while the host has its core', () => {
    const agenda = new Agenda()
    const thread = new Cores(agenda, 1, { stealShare: 0.1 }).thread()
    const times: number[] = []
    const ask = () => {
      const askedAtMicros = agenda.nowMicros
      thread.work(100, () => times.push(agenda.nowMicros - askedAtMicros))
      agenda.after(10_000, ask)
    }
    ask()
    agenda.runUntil(400e6)
    near(mean(times), 100 / 0.9 + 0.1 * 4000)
  })
})

/** Exact mean value analysis (Reiser and Lavenberg) of a closed network of single servers. */
function throughputByMva(demands: readonly number[], customers: number): number {
  let lengths = demands.map(() => 0)
  let throughput = 0
  for (let count = 1; count <= customers; count++) {
    const times = demands.map((demand, index) => demand * (1 + (lengths[index] as number)))
    throughput = count / times.reduce((sum, time) => sum + time, 0)
    lengths = times.map(time => time * throughput)
  }
  return throughput
}
