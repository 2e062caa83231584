import { availableParallelism } from 'node:os'
import { findFreePort } from '../../lib/free-port.ts'
import { formatDuration } from '../../lib/units.ts'
import { measureCapacity } from '../run/capacity.ts'
import { CAPACITY_SAMPLES } from '../run/shares.ts'
import { chooseCores, MOST_CORES } from '../sample/cores.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/settings.ts'
import type { takeSample } from '../sample/take-sample.ts'
import { median } from '../statistics/median.ts'
import { type Group, guessSeconds, measureSection, type Section, settingsOn } from './measure-section.ts'
import type { PlanResults, ValidationSample } from './results.ts'
import { FEW_CORES } from './validation-cells.ts'

export type Validated = Pick<PlanResults, 'capacities'> & { readonly validation: readonly ValidationSample[] }

interface ValidateOptions {
  readonly rows: readonly Row[]
  readonly settings: SampleSettings
  readonly blocks: number
  readonly abort: AbortSignal
  /** What was measured before. It is not measured again. */
  readonly earlier: Validated
  /** Called after each capacity and each section with all of them so far. */
  readonly save: (validated: Validated) => void
  readonly take: typeof takeSample
}

/**
 * Measures the capacity on each number of cores, then in every block the costs and the cells of every row on each of them.
 * The speed of a machine changes within minutes, so the costs behind a prediction are measured in the same minutes as its
 * cell.
 * @throws UserError when a capacity cannot be measured
 */
export async function validate(options: ValidateOptions): Promise<void> {
  const { rows, settings, blocks, abort, earlier, save } = options
  const groups = planGroups()
  let { capacities, validation } = earlier
  for (const group of groups) {
    const { cores } = group
    const capacity = capacities[cores] ?? (await measureCapacityOf(group, options))
    capacities = { ...capacities, [cores]: capacity }
    save({ capacities, validation })
  }
  const sections = planSections(rows, groups, blocks)
  const left = sections.filter(section => !validation.some(sample => isOf(sample, section)))
  const leftMs = 1000 * left.reduce((sum, section) => sum + guessSeconds(section, capacities, settings), 0)
  const count = sections.length
  process.stderr.write(
    `${left.length} of ${count} parts of the validation, about ${formatDuration(leftMs)}\n`,
  )
  const livePort = await findFreePort()
  for (const section of left) {
    const title = `[validation ${sections.indexOf(section) + 1}/${count}] block ${section.round}, ${section.row.name}`
    const samples = await measureSection(section, {
      ...{ capacities, settings },
      take(row, round, own) {
        abort.throwIfAborted()
        return options.take(row, round, own, abort, livePort)
      },
      report: line => process.stderr.write(`${title}, ${line}\n`),
    })
    validation = [...validation, ...samples]
    save({ capacities, validation })
  }
}

/** Every row on each number of cores in every block. */
const planSections = (rows: readonly Row[], groups: readonly Group[], blocks: number): Section[] =>
  Array.from({ length: blocks }, (_, index) =>
    rows.flatMap(row => groups.map(group => ({ row, group, round: index + 1 }))),
  ).flat()

const isOf = (sample: ValidationSample, { row, group, round }: Section) =>
  sample.name === row.name && sample.cores === group.cores && sample.round === round

/** The median goodput of the first row with the most connections. */
async function measureCapacityOf(
  group: Group,
  { rows, settings, abort, take }: ValidateOptions,
): Promise<number> {
  const own = settingsOn(group, settings)
  return median(await measureCapacity(rows[0] as Row, CAPACITY_SAMPLES, own, abort, take)) as number
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
