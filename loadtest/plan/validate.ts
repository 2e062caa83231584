import { availableParallelism } from 'node:os'
import { findFreePort } from '../../lib/free-port.ts'
import { formatDuration } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import { chooseCores, MOST_CORES } from '../sample/cores.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/settings.ts'
import type { takeSample } from '../sample/take-sample.ts'
import { type Group, guessSeconds, measureSection, type Section } from './measure-section.ts'
import type { ValidationSample } from './results.ts'
import { FEW_CORES } from './validation-cells.ts'

interface ValidateOptions {
  readonly rows: readonly Row[]
  readonly settings: SampleSettings
  readonly blocks: number
  readonly abort: AbortSignal
  /** What was measured before. It is not measured again. */
  readonly earlier: readonly ValidationSample[]
  /** Called after each section with all samples so far. */
  readonly save: (validation: readonly ValidationSample[]) => void
  readonly take: typeof takeSample
}

/**
 * Measures in every block the costs and the cells of every row on each number of cores. The speed of a machine changes
 * within minutes, so the costs behind a prediction are measured in the same minutes as its cell.
 * @throws UserError when no cell could be measured
 */
export async function validate(options: ValidateOptions): Promise<void> {
  const { rows, settings, blocks, abort, earlier, save } = options
  let validation = earlier
  const sections = planSections(rows, planGroups(), blocks)
  const left = sections.filter(section => !validation.some(sample => isOf(sample, section)))
  const leftMs = 1000 * left.reduce((sum, section) => sum + guessSeconds(section, settings), 0)
  const count = sections.length
  process.stderr.write(
    `${left.length} of ${count} parts of the validation, about ${formatDuration(leftMs)}\n`,
  )
  const livePort = await findFreePort()
  for (const section of left) {
    const { row, group, round } = section
    const title = `[validation ${sections.indexOf(section) + 1}/${count}] block ${round}, ${row.name}`
    const samples = await measureSection(section, {
      settings,
      capacity: row === rows[0] ? null : findCapacity(validation, group),
      take(row, round, own) {
        abort.throwIfAborted()
        return options.take(row, round, own, abort, livePort)
      },
      report: line => process.stderr.write(`${title}, ${line}\n`),
    })
    validation = [...validation, ...samples]
    save(validation)
  }
  if (validation.length === 0) throw new UserError('no cell could be validated; the lines above say why')
}

/** Every row on each number of cores in every block. */
const planSections = (rows: readonly Row[], groups: readonly Group[], blocks: number): Section[] =>
  Array.from({ length: blocks }, (_, index) =>
    rows.flatMap(row => groups.map(group => ({ row, group, round: index + 1 }))),
  ).flat()

const isOf = (sample: ValidationSample, { row, group, round }: Section) =>
  sample.name === row.name && sample.cores === group.cores && sample.round === round

/**
 * The capacity that the rates of the newest cells on these cores are shares of.
 * @returns undefined when none was measured
 */
function findCapacity(validation: readonly ValidationSample[], { cores }: Group): number | undefined {
  const { ratePerSecond, sharePercent } =
    validation.findLast(sample => sample.cores === cores && sample.sharePercent !== null) ?? {}
  return ratePerSecond && sharePercent ? (100 * ratePerSecond) / sharePercent : undefined
}

/** The numbers of cores to validate, all of them first. */
function planGroups(): Group[] {
  const all = availableParallelism()
  const most = Math.min(all, MOST_CORES)
  return [most, ...FEW_CORES.filter(cores => cores < most)].map(cores => ({
    cores,
    pinned: chooseCores(cores),
    apart: cores === all ? null : all - cores,
  }))
}
