import { findFreePort } from '../lib/free-port.ts'
import { seededRandom, shuffled } from '../lib/random.ts'
import { readEnvironment } from './environment.ts'
import type { Settings } from './options.ts'
import { createProgress, type Progress } from './progress.ts'
import { type Results, summarize } from './results.ts'
import { resultsDirectory, saveResults } from './results-file.ts'
import type { Row } from './rows.ts'
import { type Sample, takeSample } from './sample.ts'
import type { Spectrum } from './spectrum/spectrum.ts'
import { takeSpectrum } from './spectrum/take-spectrum.ts'
import { wantsBlock } from './stopping.ts'

/** How often a sample that was refused is taken again. */
const MAX_REPETITIONS = 3

/** What is to be measured: rows, how, and what is known of them from a run that was interrupted. */
export interface Plan {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly earlier?: Results
}

/** What a run does to the world. */
export interface Instruments {
  /** @param livePort each sample has an apm-agent of its own; all of them show their live page at one address */
  readonly take: (
    row: Row,
    block: number,
    settings: Settings,
    abort: AbortSignal,
    livePort: number,
  ) => Promise<Sample>
  readonly profile: typeof takeSpectrum
  readonly save: (results: Results) => void
  readonly progress: Progress
}

const real = ({ rows, settings }: Plan, livePort: number): Instruments => ({
  take: takeSample,
  profile: takeSpectrum,
  save: saveResults,
  progress: createProgress(rows, settings, livePort),
})

/**
 * Takes a sample of every row in each block, in an order drawn for the block, and saves after every sample.
 * @returns as far as it got when `abort` is raised
 * @throws when a sample cannot be taken; what was measured is on disk
 */
export async function run(
  plan: Plan,
  abort: AbortSignal,
  instruments: Partial<Instruments> = {},
): Promise<Results> {
  const { rows, settings, earlier } = plan
  const livePort = await findFreePort()
  const { take, profile, save, progress } = { ...real(plan, livePort), ...instruments }
  const environment = earlier?.environment ?? readEnvironment()
  const samples = new Map(
    rows.map((row, index) => [row, [...(earlier?.steps[index]?.samples ?? [])] as Sample[]]),
  )
  const samplesOf = (row: Row) => samples.get(row) as Sample[]
  const spectra = new Map(
    rows.flatMap((row, index) => {
      const known = earlier?.steps[index]?.spectrum
      return known ? [[row, known]] : []
    }),
  )
  const results = (blocks: number, partial = true): Results => ({
    schemaVersion: 1,
    environment,
    settings: settings.budgetSeconds === null ? settings : { ...settings, rounds: blocks },
    steps: summarize(rows, samples, spectra),
    partial,
  })
  const first = firstOpenBlock(rows, samplesOf)
  let block = first - 1
  save(results(block))
  progress.plan(results(block))
  const startedAtMs = performance.now()
  let blocksFromMs = startedAtMs
  const stage = () => {
    const nowMs = performance.now()
    const spentMs = nowMs - startedAtMs
    const blockMs = block < first ? 0 : (nowMs - blocksFromMs) / (block - first + 1)
    return { blocks: block, spentMs, blockMs, steps: summarize(rows, samples, spectra) }
  }
  try {
    for (const row of rows.filter(row => settings.spectrum && !spectra.has(row))) {
      abort.throwIfAborted()
      progress.profiling(row)
      spectra.set(row, await profile(row, settings, abort, resultsDirectory({ environment }), livePort))
      save(results(block))
      progress.profiled(row, spectra.get(row) as Spectrum)
    }
    blocksFromMs = performance.now()
    while (wantsBlock(settings, stage())) {
      block++
      for (const row of shuffled(rows, seededRandom(settings.seed * 1000 + block))) {
        while (isOpen(samplesOf(row), block)) {
          abort.throwIfAborted()
          progress.started(row, block)
          const sample = await take(row, block, settings, abort, livePort)
          samplesOf(row).push(sample)
          save(results(block))
          progress.finished(row, sample)
        }
      }
      progress.finishedBlock(stage())
    }
    const whole = results(block, false)
    save(whole)
    return whole
  } catch (error) {
    if (!abort.aborted) throw error
  }
  return results(block)
}

/** Whether what these are samples of still needs one in this block. */
export function isOpen(samples: readonly Pick<Sample, 'round' | 'valid'>[], block: number): boolean {
  const taken = samples.filter(({ round }) => round === block)
  return taken.length <= MAX_REPETITIONS && !taken.some(({ valid }) => valid)
}

function firstOpenBlock(rows: readonly Row[], samplesOf: (row: Row) => readonly Sample[]): number {
  for (let block = 1; ; block++) if (rows.some(row => isOpen(samplesOf(row), block))) return block
}
