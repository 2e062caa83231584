import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvironment } from '../outcome/environment.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { resultsDirectory } from '../outcome/results-file.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { findGap, type Ledger } from '../sample/ledger.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { Spectrum } from '../spectrum/spectrum.ts'
import type { PlannedRun } from './planned-run.ts'

/** The samples and spectra that a run has taken so far, with those of the earlier run that it resumes. */
export class Findings {
  readonly #plan: PlannedRun
  readonly #samples: ReadonlyMap<Row, Sample[]>
  readonly #spectra: Map<Row, Spectrum>
  readonly environment: Results['environment']

  constructor(plan: PlannedRun) {
    const { rows, earlier } = plan
    this.#plan = plan
    this.#samples = new Map(rows.map((row, index) => [row, [...(earlier?.steps[index]?.samples ?? [])]]))
    this.#spectra = new Map(
      rows.flatMap((row, index) => {
        const known = earlier?.steps[index]?.spectrum
        return earlier && known && isWhole(known, resultsDirectory(earlier)) ? [[row, known]] : []
      }),
    )
    this.environment = earlier?.environment ?? readEnvironment(rows)
  }

  samplesOf(row: Row): readonly Sample[] {
    return this.#samples.get(row) as Sample[]
  }

  addSample(row: Row, sample: Sample): void {
    this.#samples.get(row)?.push(sample)
  }

  /**
   * Adds the ledger of a stack that was kept for all samples of a row to the last of them. If it does not close, none of
   * them counts.
   */
  addLedger(row: Row, ledger: Ledger): void {
    const samples = this.#samples.get(row) as Sample[]
    const gap = findGap(ledger, row)
    const judged = gap === null ? samples : samples.map(sample => ({ ...sample, valid: false, reason: gap }))
    const last = judged.at(-1)
    samples.splice(0, samples.length, ...judged.slice(0, -1), ...(last ? [{ ...last, ledger }] : []))
  }

  hasSpectrum(row: Row): boolean {
    return this.#spectra.has(row)
  }

  addSpectrum(row: Row, spectrum: Spectrum): void {
    this.#spectra.set(row, spectrum)
  }

  rows(): RowResult[] {
    const { rows, settings } = this.#plan
    return summarizeRows(rows, this.#samples, this.#spectra, settings)
  }

  /** @param blocks number of blocks that were begun; a run without a budget knows it beforehand */
  results(blocks: number, partial: boolean): Results {
    const { settings } = this.#plan
    return {
      schemaVersion: 1,
      environment: this.environment,
      settings: settings.budgetSeconds === null ? settings : { ...settings, rounds: blocks },
      steps: this.rows(),
      partial,
      noisy: [...this.#samples.values()].some(samples => samples.some(isNoisy)),
    }
  }
}

/** Whether a spectrum of the interrupted run can be used: it is not in doubt, and its profiles still exist. */
const isWhole = ({ reason, profile, threads }: Spectrum, directory: string) =>
  reason === null &&
  [profile, ...threads.map(({ profile }) => profile)].every(path => existsSync(join(directory, path)))
