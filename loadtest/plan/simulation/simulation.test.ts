import { describe, test } from 'node:test'
import { drawExponential, seededRandom } from '../../../lib/random.ts'
import { mean } from '../../statistics/mean.ts'
import { near } from '../near.fixture.ts'
import { Agenda } from './agenda.ts'
import { Cores } from './cores.ts'
import type { SimulatedThread } from './thread.ts'

const SERVICE_MICROS = 1000
const JOBS = 60_000

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

describe('queues on simulated cores', () => {
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
