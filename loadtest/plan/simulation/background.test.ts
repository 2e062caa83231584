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
  const background = new Background(agenda, threads, cost, 25)
  for (let request = 0; request < 60; request++) background.addRequest()
  agenda.runUntil(1.05e6)
  const usedMicros = threads.reduce((sum, thread) => sum + thread.usedMicros, 0)
  near(usedMicros, 30_000 + 50 * 100, 1e-6)
})
