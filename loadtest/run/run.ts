import { seededRandom, shuffled } from '../../lib/random.ts'
import type { Results } from '../outcome/results.ts'
import { resultsDirectory, saveResults } from '../outcome/results-file.ts'
import type { Settings } from '../outcome/settings.ts'
import { type KeptStacks, keepStacks } from '../sample/kept-stacks.ts'
import { findLivePort } from '../sample/live-port.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { takeSpectrum } from '../spectrum/take-spectrum.ts'
import { Findings } from './findings.ts'
import type { PlannedRun } from './planned-run.ts'
import { createProgress, type Progress } from './progress.ts'
import { isOpen, type RunState, wantsBlock } from './stopping.ts'
import { chooseRows } from './undecided.ts'

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface Instruments {
  readonly take: (row: Row, block: number, settings: Settings, abort: AbortSignal) => Promise<Sample>
  readonly keep: typeof keepStacks
  readonly profile: typeof takeSpectrum
  readonly save: (results: Results) => void
  readonly progress: Progress
}

const real = (plan: PlannedRun, livePort: number): Instruments => ({
  take: takeSample,
  keep: keepStacks,
  profile: takeSpectrum,
  save: saveResults,
  progress: createProgress(plan, livePort),
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
  const running = new Run(plan, abort, { ...real(plan, await findLivePort()), ...instruments })
  const { settings } = plan
  running.begin()
  try {
    if (settings.spectrum) await running.profileRows()
    if (settings.keepsStacks) await running.keepStacks()
    await running.takeBlocks()
    return await running.end(false)
  } catch (error) {
    if (abort.aborted) return await running.end(true)
    throw error
  } finally {
    await running.stop()
  }
}

/** A run under way. */
class Run {
  readonly #plan: PlannedRun
  readonly #abort: AbortSignal
  readonly #instruments: Instruments
  readonly #rows: readonly Row[]
  readonly #findings: Findings
  /** The first block of this run, which may go on with an earlier one, and the last that was begun. */
  readonly #firstBlock: number
  #block: number
  #blocksFromMs = performance.now()
  readonly #startedAtMs: number
  /** Duration of a sample in the last block; 0 before the first. */
  #sampleMs = 0
  #kept: KeptStacks | undefined

  constructor(plan: PlannedRun, abort: AbortSignal, instruments: Instruments) {
    this.#plan = plan
    this.#abort = abort
    this.#instruments = instruments
    this.#rows = plan.rows
    this.#findings = new Findings(plan)
    this.#firstBlock = firstOpenBlock(this.#rows, this.#findings)
    this.#block = this.#firstBlock - 1
    this.#startedAtMs = plan.startedAtMs ?? this.#blocksFromMs
  }

  begin(): void {
    this.#instruments.progress.plan(this.#save(true))
  }

  async profileRows(): Promise<void> {
    const { profile, progress } = this.#instruments
    const directory = resultsDirectory(this.#findings)
    for (const row of this.#rows.filter(row => !this.#findings.hasSpectrum(row))) {
      this.#abort.throwIfAborted()
      progress.profiling(row)
      const spectrum = await profile(row, this.#plan.settings, this.#abort, directory)
      this.#findings.addSpectrum(row, spectrum)
      this.#save(true)
      progress.profiled(row, spectrum)
    }
  }

  async keepStacks(): Promise<void> {
    this.#instruments.progress.starting()
    this.#kept = await this.#instruments.keep(this.#rows, this.#plan.settings, this.#abort)
  }

  async takeBlocks(): Promise<void> {
    this.#blocksFromMs = performance.now()
    for (let rows = this.#nextRows(); rows.length > 0; rows = this.#nextRows()) {
      this.#block++
      await this.#takeBlock(rows)
      this.#instruments.progress.finishedBlock(this.#state())
    }
  }

  /** Stops the stacks that were kept. Only then it is known what they have delivered. @returns the results, which are saved */
  async end(partial: boolean): Promise<Results> {
    for (const [row, ledger] of (await this.#kept?.stop()) ?? []) this.#findings.addLedger(row, ledger)
    return this.#save(partial)
  }

  async stop(): Promise<void> {
    await this.#kept?.stop()
  }

  /** The rows of the next block; none when the run is at its end. */
  #nextRows(): readonly Row[] {
    const { settings } = this.#plan
    if (!settings.looks) return wantsBlock(settings, this.#state()) ? this.#rows : []
    const chosen = chooseRows(settings, this.#state())
    return this.#rows.filter(row => chosen.has(row.name))
  }

  async #takeBlock(rows: readonly Row[]): Promise<void> {
    const { settings } = this.#plan
    const { take, progress } = this.#instruments
    const [block, kept, beganAtMs] = [this.#block, this.#kept, performance.now()]
    let taken = 0
    for (const row of shuffled(rows, seededRandom(settings.seed * 1000 + block))) {
      while (isOpen(this.#findings.samplesOf(row), block)) {
        this.#abort.throwIfAborted()
        progress.started(row, block)
        const sample = await (kept?.take(row, block) ?? take(row, block, settings, this.#abort))
        taken++
        this.#findings.addSample(row, sample)
        if (!kept) this.#save(true)
        progress.finished(row, sample)
      }
    }
    this.#sampleMs = (performance.now() - beganAtMs) / taken
    if (kept) this.#save(true)
  }

  #state(): RunState {
    const nowMs = performance.now()
    const blocks = this.#block - this.#firstBlock + 1
    return {
      blocks: this.#block,
      spentMs: nowMs - this.#startedAtMs,
      blockMs: blocks === 0 ? 0 : (nowMs - this.#blocksFromMs) / blocks,
      sampleMs: this.#sampleMs,
      steps: this.#findings.rows(),
    }
  }

  #save(partial: boolean): Results {
    const results = this.#findings.results(this.#block, partial)
    this.#instruments.save(results)
    return results
  }
}

function firstOpenBlock(rows: readonly Row[], findings: Findings): number {
  for (let block = 1; ; block++) if (rows.some(row => isOpen(findings.samplesOf(row), block))) return block
}
