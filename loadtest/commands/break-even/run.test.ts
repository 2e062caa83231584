import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runBreakEven } from './command.ts'
import { type CellReport, describeOrder, type Order, type StartReport } from './protocol.ts'
import type { BreakEvenResults, BreakEvenSettings, Sample } from './results.ts'

const settings: BreakEvenSettings = {
  command: 'break-even',
  arguments: [],
  lengthsMicros: [10, 100, 1000],
  payloadsBytes: [100],
  concurrencies: [1],
  threads: 1,
  rounds: 6,
  windowMs: 20,
  seed: 4,
  iterationsPerMicro: 100,
}

/** Inline a task costs its length, in threads 40 µs, in processes 400 µs; in round n all of it n times as much. */
function invent(order: Order, round: number): CellReport | StartReport {
  const latency = (ms: number) => ({ p50: ms, p90: ms, p99: ms, max: ms })
  if (order.kind === 'start')
    return { machine: null, startMs: [9, 5, 7], memory: { proportionalBytes: 1, residentBytes: 2 } }
  const { compute, lengthMicros } = order.cell
  const cost = { inline: lengthMicros, threads: 40, processes: 400 }[compute] * round
  return {
    machine: null,
    tasks: 10,
    mainThreadMicros: cost,
    latencyMs: latency(1),
    neighbourDelayMs: latency(compute === 'inline' ? lengthMicros / 1000 : 0.005),
  }
}

/** Runs with samples that are made up. */
async function rehearse(
  change: (count: number, name: string) => Partial<Sample<object>> | 'interrupt' = () => ({}),
  changed: Partial<BreakEvenSettings> = {},
) {
  const abort = new AbortController()
  const taken: string[] = []
  const saved: BreakEvenResults[] = []
  const results = await runBreakEven({ ...settings, ...changed }, abort.signal, {
    progress: { plan() {}, started() {}, finished() {}, finishedBlock() {} },
    save: each => saved.push(each),
    async take(order, round) {
      taken.push(`${round}: ${describeOrder(order)}`)
      const changes = change(taken.length, taken.at(-1) as string)
      if (changes === 'interrupt') {
        abort.abort(new Error('interrupted'))
        throw abort.signal.reason
      }
      return { ...invent(order, round), round, valid: true, reason: null, noise: null, ...changes }
    },
  })
  return { results, taken, saved }
}

describe('a run of break-even', () => {
  test('takes everything once a round, in an order that its seed decides', async () => {
    const { taken } = await rehearse()
    const rounds = [1, 2, 3, 4, 5, 6].map(round => taken.filter(each => each.startsWith(`${round}: `)))
    const names = rounds.map(round => round.map(each => each.slice(3)).sort())
    assert.equal(new Set(names[0]).size, names[0]?.length)
    for (const name of names) assert.deepEqual(name, names[0])
    assert.deepEqual((await rehearse()).taken, taken)
    assert.notDeepEqual((await rehearse(undefined, { seed: 5 })).taken, taken)
  })

  test('finds in every round where costs cross, whatever the round did to all of them', async () => {
    const { crossings, starts } = (await rehearse()).results
    const found = crossings.map(({ metric, compute, lengthMicros, ci95 }) => {
      const whole = (length: unknown) => (typeof length === 'number' ? Math.round(length) : length)
      return [metric, compute, whole(lengthMicros), ci95?.map(whole)]
    })
    assert.deepEqual(found, [
      ['mainThreadMicros', 'threads', 40, [40, 40]],
      ['mainThreadMicros', 'processes', 400, [400, 400]],
      ['neighbourP99Ms', 'threads', 'below', ['below', 'below']],
      ['neighbourP99Ms', 'processes', 'below', ['below', 'below']],
    ])
    assert.deepEqual(
      starts.map(({ startMs }) => startMs.median),
      [7, 7, 7, 7],
    )
  })

  test('takes a sample again, last in its round, that was refused, keeps it, and does not count it', async () => {
    const refuse = (count: number) =>
      count === 1 ? { valid: false, reason: 'busy', mainThreadMicros: 1e9, startMs: [1e9] } : {}
    const { results, taken } = await rehearse(refuse)
    assert.equal(taken.indexOf(taken[0] as string, 1), taken.lastIndexOf(taken[0] as string))
    assert.match(taken.at(taken.lastIndexOf(taken[0] as string) + 1) ?? '', /^2: /)
    const all = [...results.cells, ...results.starts]
    const refused = all.filter(({ samples }) => samples.some(({ valid }) => !valid))
    assert.equal(refused.length, 1)
    assert.equal(refused[0]?.samples.length, settings.rounds + 1)
    const clean = (await rehearse()).results
    assert.deepEqual(results.crossings, clean.crossings)
    assert.deepEqual(
      results.starts.map(({ startMs }) => startMs),
      clean.starts.map(({ startMs }) => startMs),
    )
  })

  test('finds where costs cross also where a length is missing that has no part in it', async () => {
    const isMissing = (name: string) => name.endsWith('inline, 1 ms, 100 B, one task at a time')
    const { results } = await rehearse((_, name) => (isMissing(name) ? { valid: false, reason: 'busy' } : {}))
    const [threads, processes] = results.crossings
    assert.equal(threads?.rounds.length, 6)
    // 400 µs lie beyond 100 µs, the longest that is left, but it is not the longest that was asked for.
    assert.deepEqual(processes?.rounds, [])
  })

  test('that is interrupted answers as far as it got, and says that it is partial', async () => {
    const { results, saved } = await rehearse(count => (count === 5 ? 'interrupt' : {}))
    assert.equal(results.partial, true)
    const all = [...results.cells, ...results.starts]
    assert.equal(all.flatMap(({ samples }) => samples.map(({ round }) => round)).length, 4)
    assert.deepEqual(saved.at(-1), results)
    assert.ok(
      results.crossings.every(({ lengthMicros, rounds }) => lengthMicros === null && rounds.length === 0),
    )
  })

  test('is partial on disk until its last sample is there', async () => {
    const { saved } = await rehearse()
    assert.ok(saved.slice(0, -1).every(({ partial }) => partial))
    assert.equal(saved.at(-1)?.partial, false)
  })
})
