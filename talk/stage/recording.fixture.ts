import { steps } from '../../app/steps.ts'
import type { Threads } from '../../screen/live-messages.ts'
import type { Second, StageMessage, StageState } from '../../screen/stage-messages.ts'
import { describeSetting } from './setting.ts'

const SECONDS_A_STEP = 16
const COLD_SECONDS = 3

/** The main-thread cost of a step in microseconds, for a machine that does not exist. */
const costOf = (step: number): number => 1500 * 0.72 ** step - (step > 0 ? 560 * 0.72 ** step : 0)

/** The messages of a tour through all steps that nobody measured, each with its time in milliseconds. */
export function makeTour(): { readonly atMs: number; readonly message: StageMessage }[] {
  const lines: { atMs: number; message: StageMessage }[] = []
  const numbers = steps.map(({ number }) => number)
  const setting = describeSetting('50 clients', null)
  const tellAt = (atMs: number, message: StageMessage) => lines.push({ atMs, message })
  const state = (step: number, next: number | null): StageState => ({
    step,
    next,
    failure: '',
    faults: [],
    tour: { isPaused: false },
    scenario: 'demo',
    overload: 'refuse',
  })
  tellAt(0, {
    kind: 'setting',
    setting: { ...setting, machine: 'A machine, 2 cores', date: '2026-01-02T03:04:05Z' },
  })
  for (const [index, step] of numbers.entries()) {
    const startMs = index * SECONDS_A_STEP * 1000
    tellAt(startMs, { kind: 'state', state: state(step, null) })
    for (let each = 1; each <= SECONDS_A_STEP; each++) {
      const second = makeSecond(step, each, startMs + each * 1000)
      tellAt(second.atMs, { kind: 'seconds', seconds: [second] })
      tellAt(second.atMs, { kind: 'update', update: makeThreads(step) })
    }
    const next = numbers[index + 1]
    if (next !== undefined)
      tellAt(startMs + SECONDS_A_STEP * 1000, { kind: 'state', state: state(step, next) })
  }
  return lines
}

function makeSecond(step: number, each: number, atMs: number): Second {
  const noise = 1 + 0.04 * Math.sin(each * 12.9898 + step * 78.233)
  const isWarm = each > COLD_SECONDS
  const cost = costOf(step) * noise * (isWarm ? 1 : 1.5)
  const good = Math.round(step === 0 ? 1e6 / cost : (760 + 25 * step) * (2 - noise))
  return {
    ...secondOf(step, cost, good),
    atMs,
    isWarm,
    p50Ms: 50_000 / good,
  }
}

/** A second of a step in which nothing went wrong. @param cost in microseconds */
export const secondOf = (step: number, cost: number, good = 100): Second => ({
  atMs: 0,
  durationMs: 1000,
  step,
  isWarm: true,
  good,
  failed: 0,
  refused: 0,
  scenario: 'demo',
  overload: 'refuse',
  isBroken: false,
  healthMs: 2,
  cpuMicros: cost * good,
  p50Ms: 1,
})

const makeThreads = (step: number): Threads => ({
  lanes: [
    { name: 'main', share: Math.min(1, costOf(step) / 1500) },
    ...(step > 0 ? [{ name: 'compute 1', share: 0.97 }] : []),
    ...(step > 5 ? [{ name: 'rendering 1', share: 0.01 }] : []),
  ],
  pools: [],
  ledger: {
    logLines: { emitted: 12_000, delivered: 12_000 - 40 * step },
    spans: { emitted: 5000, delivered: 4980 },
    metricPoints: { emitted: 70, delivered: 70 },
  },
})
