import { test } from 'node:test'
import { near } from '../near.fixture.ts'
import { Agenda } from './agenda.ts'
import { Background } from './background.ts'
import { Cores } from './cores.ts'

test('what nobody waits for takes a time each second, and one for each request, in bursts', () => {
  const agenda = new Agenda()
  const cores = new Cores(agenda, 4)
  const threads = [cores.thread(), cores.thread()]
  const cost = { microsASecond: 30_000, microsARequest: 100 }
  const background = new Background(agenda, threads, cost, [
    { share: 0.6, requests: 10, threads: 1 },
    { share: 0.4, requests: 50, threads: 2 },
  ])
  for (let request = 0; request < 69; request++) background.addRequest()
  agenda.runUntil(1.05e6)
  const [first, second] = threads.map(({ usedMicros }) => usedMicros) as [number, number]
  near(second, 15_000 + 0.4 * 50 * 50, 1e-6)
  near(first, second + 0.6 * 60 * 100, 1e-6)
})
