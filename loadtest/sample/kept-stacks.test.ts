import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signals } from '../../lib/processes/protocol.ts'
import { record } from '../../lib/record.ts'
import { findOnOwnRequest, onOwnRequests } from './compared-rows.ts'
import { type keepStacks, takeInTurns } from './kept-stacks.ts'
import { type Row, selectRows } from './rows.ts'
import type { SampleSettings } from './sample.ts'
import type { Measured } from './take-sample.ts'

const settings = { scenario: 'demo', turns: 3, seed: 1, acceptNoise: false } as SampleSettings
const latency = (p50: number) => ({ p50, p90: p50, p99: p50, max: p50 })

/** A window of half a second in which each of so many responses took so many microseconds. */
function windowOf(responses: number, micros: number): Measured {
  const counts = { good: responses, error: 0, refused: 0, 'wrong body': 0 }
  const measurement = {
    ...{ durationMs: 500, responses, inWindow: counts, errors: 0, wrongBodies: 0, restarts: 0 },
    ...{ mainThreadMicros: responses * micros, mainThreadWakeups: responses, mainThreadAllocatedBytes: null },
    ...{ processMicros: { app: responses * micros, loggerTransport: responses, apmAgent: 0 } },
    ...{ mainThreadUtilization: 0.5, generatorUtilization: 0.5 },
    latenessMs: null,
    ...{ latencyMs: latency(micros), firstByteMs: latency(micros) },
  }
  return { generated: { measurement, beside: null, machine: null, memoryBytes: null }, restarted: undefined }
}

/** Takes samples from stacks that are made up. @param delivered spans of each stack, out of seven */
async function rehearse(rows: readonly Row[], micros: readonly number[] = [100, 100, 100], delivered = 7) {
  const events: string[] = []
  const keep = (async group => {
    events.push(`start ${group.length}`)
    const turns = new Map<Row, number>()
    const counts = record(signals, () => ({ emitted: 7, delivered, dropped: 0, rejected: 0 }))
    return {
      take: () => assert.fail('no sample is of one turn'),
      async measure(row) {
        const turn = turns.get(row) ?? 0
        turns.set(row, turn + 1)
        events.push(row.name)
        return windowOf(10 * (turn + 1), micros[turn] as number)
      },
      async stop() {
        events.push('stop')
        return new Map(group.map(row => [row, counts]))
      },
    }
  }) as typeof keepStacks
  const samples = await takeInTurns(rows, 5, settings, new AbortController().signal, undefined, keep)
  return { samples: [...samples.values()], events }
}

describe('samples that are taken in turns', () => {
  test('are of stacks that start together; every turn has each row once, in an order of its own', async () => {
    const { events } = await rehearse(selectRows('0-2', undefined, {}))
    assert.equal(events[0], 'start 3')
    const turns = [1, 4, 7].map(from => events.slice(from, from + 3))
    for (const turn of turns) assert.deepEqual(turn.toSorted(), ['compute', 'monolith', 'serialization'])
    assert.ok(new Set(turns.map(String)).size > 1)
    assert.deepEqual(events.slice(10), ['stop'])
  })

  test('have the sums of all turns, and what each turn cost', async () => {
    const { samples } = await rehearse(selectRows('0', undefined, {}), [100, 200, 400])
    const [
      {
        responses,
        goodput,
        mainThreadMicros,
        totalMicros,
        processMicros,
        latencyMs,
        allocatedBytes,
        round,
        valid,
      },
    ] = samples as [(typeof samples)[number]]
    assert.deepEqual([responses, goodput], [60, 40])
    const mean = (10 * 100 + 20 * 200 + 30 * 400) / 60
    assert.deepEqual([mainThreadMicros, latencyMs.p50, latencyMs.max], [mean, mean, 400])
    assert.deepEqual([processMicros, totalMicros], [{ app: mean, loggerTransport: 1, apmAgent: 0 }, mean + 1])
    assert.deepEqual([allocatedBytes, round, valid], [null, 5, true])
  })

  test('count only if the ledger of their stack closes', async () => {
    const { samples } = await rehearse(selectRows('0', undefined, {}), undefined, 6)
    assert.match(samples[0]?.reason ?? '', /the ledger of \w+ is open: 7 emitted, 6 delivered/)
  })
})

describe('steps on their own requests', () => {
  const rows = onOwnRequests(selectRows('1-3', undefined, {}))

  test('stand beside the step before, which is compared with nothing', () =>
    assert.deepEqual(
      rows.map(({ name, scenario, baseline }) => [name, scenario, baseline]),
      [
        ['compute on numbers', 'numbers', 'compute on numbers'],
        ['serialization on numbers', 'numbers', 'compute on numbers'],
        ['serialization on hello', 'hello', 'serialization on hello'],
        ['framework on hello', 'hello', 'serialization on hello'],
      ],
    ))

  test('are measured one scenario after the other', async () => {
    const { events } = await rehearse(rows)
    assert.deepEqual(
      events.filter(event => /^st(art|op)/.test(event)),
      ['start 2', 'stop', 'start 2', 'stop'],
    )
  })

  test('are found by the name of the step, with their request in words', () => {
    const found = findOnOwnRequest('framework', rows)
    assert.deepEqual([found?.row.name, found?.request], ['framework on hello', '/hello'])
    assert.equal(findOnOwnRequest('compute', rows), undefined)
  })
})
