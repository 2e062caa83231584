import { findFreePort } from '../../../lib/http/free-port.ts'
import { seededRandom, shuffled } from '../../../lib/random.ts'
import { formatDuration } from '../../../lib/units.ts'
import { readEnvironment } from '../../outcome/environment.ts'
import { isNoisy } from '../../outcome/noisy.ts'
import { resultsFile, saveResults } from '../../outcome/results-file.ts'
import { MAX_REPETITIONS } from '../../run/repetitions.ts'
import type { Row } from '../../sample/rows.ts'
import type { Sample } from '../../sample/sample.ts'
import { takeSample } from '../../sample/take-sample.ts'
import { judgeTrial } from './judge.ts'
import type { SloResults, SloSample, SloSettings } from './results.ts'
import { isSettled, nextRate, type Trial } from './search.ts'
import { summarizeSlo } from './summarize.ts'

/** A guess of the time to start and stop a stack. */
const OVERHEAD_SECONDS = 3

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface SloInstruments {
  readonly take: (
    row: Row,
    block: number,
    settings: SloSettings,
    abort: AbortSignal,
    livePort: number,
  ) => Promise<Sample>
  readonly save: (results: SloResults) => void
  readonly say: (line: string) => void
}

const real: SloInstruments = {
  take: takeSample,
  save: saveResults,
  say: line => process.stderr.write(line),
}

/**
 * Searches the highest rate of every row. A block is a sample of every row, each at the next rate of its own search, in
 * an order drawn for the block. The results are saved after every sample.
 * @returns the results so far when `abort` is aborted
 */
export async function runSlo(
  rows: readonly Row[],
  settings: SloSettings,
  abort: AbortSignal,
  { take, save, say }: SloInstruments = real,
): Promise<SloResults> {
  const { rounds, seed, firstRate, p99Ms, warmupSeconds, durationSeconds } = settings
  const livePort = await findFreePort()
  const environment = readEnvironment(rows)
  const samples = new Map(rows.map((row): [Row, SloSample[]] => [row, []]))
  const trials = new Map(rows.map((row): [Row, Trial[]] => [row, []]))
  const results = (partial: boolean): SloResults => ({
    schemaVersion: 1,
    kind: 'slo',
    partial,
    noisy: [...samples.values()].some(taken => taken.some(isNoisy)),
    environment,
    settings,
    rows: summarizeSlo(rows, samples, p99Ms),
  })

  const planned = rounds * rows.length
  const describeRest = forecast(planned)

  async function takeTrial(row: Row, block: number): Promise<void> {
    const [taken, judged] = [samples.get(row) as SloSample[], trials.get(row) as Trial[]]
    for (let attempt = 0; attempt <= MAX_REPETITIONS; attempt++) {
      abort.throwIfAborted()
      const ratePerSecond = nextRate(judged, firstRate)
      // With a baseline, the window of a low rate is long enough for a p99.
      const sample = await take(
        { ...row, ratePerSecond, baseline: row.name },
        block,
        settings,
        abort,
        livePort,
      )
      const trial = judgeTrial(sample, ratePerSecond, p99Ms)
      judged.push(trial)
      const judgement = trial.outcome === 'refused' ? {} : { valid: true, reason: null }
      taken.push({ ...sample, ...judgement, ratePerSecond, outcome: trial.outcome })
      save(results(true))
      say(
        `[block ${block}/${rounds}] ${row.name} at ${ratePerSecond}/s: ${describe(trial, sample)} · ${describeRest(trial)}\n`,
      )
      if (trial.outcome !== 'refused') return
    }
  }

  const lengthMs = planned * (warmupSeconds + durationSeconds + OVERHEAD_SECONDS) * 1000
  say(
    `${rounds} blocks of ${rows.length} samples, about ${formatDuration(lengthMs)}; order from seed ${seed}\n`,
  )
  say(`results go to ${resultsFile({ environment })}\n`)
  say(`watch http://127.0.0.1:${livePort}/ once the first sample runs\n`)
  try {
    for (let block = 1; block <= rounds; block++) {
      const open = rows.filter(row => row.didNotRun === undefined && !isSettled(trials.get(row) as Trial[]))
      for (const row of shuffled(open, seededRandom(seed * 1000 + block))) await takeTrial(row, block)
    }
  } catch (error) {
    if (!abort.aborted) throw error
    return results(true)
  }
  save(results(false))
  return results(false)
}

/** Says after each trial how long the others will probably take. A refused one is taken again. */
function forecast(planned: number): (trial: Trial) => string {
  const startedAtMs = performance.now()
  let taken = 0
  let left = planned
  return ({ outcome }) => {
    if (outcome !== 'refused') left--
    return `about ${formatDuration((left * (performance.now() - startedAtMs)) / ++taken)} left`
  }
}

function describe({ outcome }: Trial, { latencyMs, errors, reason }: Sample): string {
  if (outcome === 'refused') return `refused: ${reason}`
  const failed = errors > 0 ? `, ${errors} errors` : ''
  const limited = outcome === 'limited' ? 'the load generator is the limit' : outcome
  return `p99 ${latencyMs.p99.toFixed(1)} ms${failed}: ${limited}`
}
