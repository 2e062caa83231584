import { readEnvironment } from '../outcome/environment.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { PlannedRun, Results, Settings } from '../outcome/results.ts'
import { resultsDirectory, saveResults } from '../outcome/results-file.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { type KeptStacks, keepStacks, takeInTurns } from '../sample/kept-stacks.ts'
import { findGap, type Ledger } from '../sample/ledger.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { findLivePort, takeSample } from '../sample/take-sample.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import { takeSpectrum } from '../spectrum/take-spectrum.ts'
import { measure } from './measure.ts'
import { createRowsProgress, describeFound, type RowsProgress } from './rows-progress.ts'
import { chooseRows, wantsBlock } from './stopping.ts'

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface Instruments {
  readonly take: (row: Row, block: number, settings: Settings, abort: AbortSignal) => Promise<Sample>
  readonly takeInTurns: typeof takeInTurns
  readonly keep: typeof keepStacks
  readonly profile: typeof takeSpectrum
  readonly save: (results: Results) => void
  readonly progress: RowsProgress
}

const real = (plan: PlannedRun, livePort: number): Instruments => ({
  take: takeSample,
  takeInTurns,
  keep: keepStacks,
  profile: takeSpectrum,
  save: saveResults,
  progress: createRowsProgress(plan, livePort),
})

/**
 * Measures rows. Profiles each first, if the settings ask for spectra, and starts their stacks if they are kept.
 * @throws Error when a sample cannot be taken; what was saved before stays
 */
export async function run(
  plan: PlannedRun,
  abort: AbortSignal,
  instruments: Partial<Instruments> = {},
): Promise<Results> {
  const { rows, settings, startedAtMs } = plan
  const used = { ...real(plan, await findLivePort()), ...instruments }
  const { take, keep, profile, save, progress } = used
  const environment = readEnvironment()
  const spectra = new Map<Row, Spectrum>()
  let kept: KeptStacks | undefined
  const summarize = (samples: ReadonlyMap<Row, readonly Sample[]>) =>
    summarizeRows(rows, samples, spectra, settings)

  async function begin(save: () => void): Promise<void> {
    if (settings.spectrum)
      for (const row of rows) {
        abort.throwIfAborted()
        progress.profiling(row)
        spectra.set(row, await profile(row, settings, abort, resultsDirectory({ environment })))
        save()
      }
    if (!settings.keepsStacks) return
    progress.starting()
    kept = await keep(rows, settings, abort)
  }

  try {
    return await measure<Row, Sample, Results>(
      {
        rows,
        seed: settings.seed,
        startedAtMs,
        next(state, samples) {
          const known = { ...state, steps: summarize(samples) }
          if (!settings.looks) return wantsBlock(settings, known) ? rows : []
          const chosen = chooseRows(settings, known)
          return rows.filter(({ name }) => chosen.has(name))
        },
        take: (row, block) => kept?.take(row, block) ?? take(row, block, settings, abort),
        takeTogether: settings.turns
          ? (open, block) =>
              used.takeInTurns(open, block, settings, abort, row => progress.started(row, block))
          : undefined,
        savesBlocks: settings.keepsStacks || settings.turns !== undefined,
        found: samples => describeFound(summarize(samples), settings),
        results: (samples, { blocks, partial }) => ({
          schemaVersion: 1,
          environment,
          settings: settings.budgetSeconds === null ? settings : { ...settings, rounds: blocks },
          steps: summarize(samples),
          partial,
          noisy: [...samples.values()].some(each => each.some(isNoisy)),
        }),
        save,
        progress,
        begin,
        // Only when a kept stack has ended, it is known what it has delivered.
        async end(samples) {
          for (const [row, ledger] of (await kept?.stop()) ?? [])
            addLedger(row, samples.get(row) as Sample[], ledger)
        },
      },
      abort,
    )
  } finally {
    await kept?.stop()
  }
}

/** Adds the ledger of a kept stack to the last sample of its row. If it does not close, none of them counts. */
function addLedger(row: Row, samples: Sample[], ledger: Ledger): void {
  const gap = findGap(ledger, row)
  const judged = gap === null ? samples : samples.map(sample => ({ ...sample, valid: false, reason: gap }))
  const last = judged.at(-1)
  samples.splice(0, samples.length, ...judged.slice(0, -1), ...(last ? [{ ...last, ledger }] : []))
}
