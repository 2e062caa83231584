import { findFreePort } from '../../lib/http/free-port.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import type { Results } from '../outcome/results.ts'
import { resultsDirectory, saveResults } from '../outcome/results-file.ts'
import type { Settings } from '../outcome/settings.ts'
import { type KeptStacks, keepStacks } from '../sample/kept-stacks.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { takeSpectrum } from '../spectrum/take-spectrum.ts'
import { Findings } from './findings.ts'
import type { PlannedRun } from './planned-run.ts'
import { createProgress, type Progress } from './progress.ts'
import { isOpen } from './repetitions.ts'
import { type RunState, wantsBlock } from './stopping.ts'
import { chooseRows } from './undecided.ts'

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface Instruments {
  /**
   * @param livePort port of the live page: each sample has an apm-agent of its own, and all show their page at this
   * port
   */
  readonly take: (
    row: Row,
    block: number,
    settings: Settings,
    abort: AbortSignal,
    livePort: number,
  ) => Promise<Sample>
  readonly keep: typeof keepStacks
  readonly profile: typeof takeSpectrum
  readonly save: (results: Results) => void
  readonly progress: Progress
}

/** Whether the app of a row runs on its version of Node.js. */
const canRun = ({ didNotRun }: Row) => didNotRun === undefined

const real = (plan: PlannedRun, livePort: number): Instruments => ({
  take: takeSample,
  keep: keepStacks,
  profile: takeSpectrum,
  save: saveResults,
  progress: createProgress({ ...plan, rows: plan.rows.filter(canRun) }, livePort),
})

/**
 * Profiles every row when the settings ask for spectra. Then takes a sample of every row in each block, in an order
 * drawn for the block, and saves the results after every sample; with kept stacks after every block.
 * @returns the results so far when `abort` is aborted
 * @throws Error when a sample cannot be taken; all samples before it are saved, with kept stacks those of whole blocks
 */
export async function run(
  plan: PlannedRun,
  abort: AbortSignal,
  instruments: Partial<Instruments> = {},
): Promise<Results> {
  const { settings } = plan
  const rows = plan.rows.filter(canRun)
  const livePort = await findFreePort()
  const { take, keep, profile, save, progress } = { ...real(plan, livePort), ...instruments }
  const findings = new Findings(plan)
  const first = firstOpenBlock(rows, findings)
  let block = first - 1
  const soFar = () => findings.results(block, true)
  let blocksFromMs = performance.now()
  const { startedAtMs = blocksFromMs } = plan
  /** Duration of a sample in the last block; 0 before the first. */
  let sampleMs = 0
  let kept: KeptStacks | undefined

  function state(): RunState {
    const nowMs = performance.now()
    const samplingMs = nowMs - blocksFromMs
    const blockMs = block < first ? 0 : samplingMs / (block - first + 1)
    return {
      blocks: block,
      spentMs: nowMs - startedAtMs,
      blockMs,
      sampleMs,
      steps: findings.rows().filter(canRun),
    }
  }

  /** The rows of the next block; none when the run is at its end. */
  function nextRows(): readonly Row[] {
    if (!settings.looks) return wantsBlock(settings, state()) ? rows : []
    const chosen = chooseRows(settings, state())
    return rows.filter(row => chosen.has(row.name))
  }

  async function profileRows(): Promise<void> {
    const directory = resultsDirectory(findings)
    for (const row of rows.filter(row => !findings.hasSpectrum(row))) {
      abort.throwIfAborted()
      progress.profiling(row)
      const spectrum = await profile(row, settings, abort, directory, livePort)
      findings.addSpectrum(row, spectrum)
      save(soFar())
      progress.profiled(row, spectrum)
    }
  }

  async function keepAll(): Promise<void> {
    progress.starting()
    kept = await keep(rows, settings, abort)
  }

  /** Stops the stacks that were kept. Only now it is known what they have delivered. */
  async function releaseAll(): Promise<void> {
    for (const [row, ledger] of (await kept?.stop()) ?? []) findings.addLedger(row, ledger)
  }

  async function takeBlock(chosen: readonly Row[]): Promise<void> {
    const beganAtMs = performance.now()
    let taken = 0
    for (const row of shuffled(chosen, seededRandom(settings.seed * 1000 + block))) {
      while (isOpen(findings.samplesOf(row), block)) {
        abort.throwIfAborted()
        progress.started(row, block)
        const sample = await (kept?.take(row, block) ?? take(row, block, settings, abort, livePort))
        taken++
        findings.addSample(row, sample)
        if (!kept) save(soFar())
        progress.finished(row, sample)
      }
    }
    sampleMs = (performance.now() - beganAtMs) / taken
    if (kept) save(soFar())
  }

  const planned = soFar()
  save(planned)
  progress.plan(planned)
  try {
    if (settings.spectrum) await profileRows()
    if (settings.keepsStacks) await keepAll()
    blocksFromMs = performance.now()
    for (let next = nextRows(); next.length > 0; next = nextRows()) {
      block++
      await takeBlock(next)
      progress.finishedBlock(state())
    }
  } catch (error) {
    if (!abort.aborted) throw error
    await releaseAll()
    const measured = soFar()
    save(measured)
    return measured
  } finally {
    await kept?.stop()
  }
  await releaseAll()
  const whole = findings.results(block, false)
  save(whole)
  return whole
}

function firstOpenBlock(rows: readonly Row[], findings: Findings): number {
  for (let block = 1; ; block++) if (rows.some(row => isOpen(findings.samplesOf(row), block))) return block
}
