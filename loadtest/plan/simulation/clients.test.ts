import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from '../../statistics/median.ts'
import { Agenda } from './agenda.ts'
import { startClients } from './clients.ts'

test('an open loop sends requests late, by the timer of Node.js', () => {
  const agenda = new Agenda()
  const load = { kind: 'open', ratePerSecond: 200, arrivals: 'poisson', seed: 1 } as const
  const latenessMicros: number[] = []
  startClients(
    agenda,
    { load, connections: 50 },
    (_, answered) => answered(),
    dueAtMicros => latenessMicros.push(agenda.nowMicros - dueAtMicros),
  )
  agenda.runUntil(60e6)
  assert.ok(latenessMicros.length > 11_000)
  assert.ok(latenessMicros.every(late => late >= 0 && late <= 1000))
  const middle = median(latenessMicros) as number
  assert.ok(middle > 400 && middle < 700, `${middle} µs`)
})
