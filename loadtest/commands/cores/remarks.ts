import { counted, formatRatio, middleOf, percent } from '../../outcome/format.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/compared-rows.ts'
import type { RowCores } from '../../sample/rows.ts'
import type { CoresUse } from '../../sample/sample.ts'
import { median } from '../../statistics/median.ts'

/** The requests a second of the talk, step by step, on the machine of its speaker. */
export const talk = [190, 605, 768, 922, 1078, 1350] as const

/** What limits a row: the part that has used most of the core, or of all cores, that it may use. */
export interface Bottleneck {
  readonly name: string
  /** Share of its quota, median of the samples. */
  readonly share: number
}

/** Names that say what the threads do, by the names that the system knows them by. */
const names: Readonly<Record<string, string>> = {
  'app node-MainThread': 'main thread',
  'app instance': 'main threads',
  'app answer': 'workers',
  'app render': 'render threads',
  'app node-V8Worker': "V8's helpers",
}

/** @returns null for rows that were not measured in slow motion */
export function findBottleneck({ samples }: Pick<RowResult, 'samples'>): Bottleneck | null {
  const uses = samples.flatMap(({ valid, cores }) => (valid && cores ? [sharesOf(cores)] : []))
  const all = [...new Set(uses.flatMap(use => [...use.keys()]))].map(name => ({
    name,
    share: median(uses.map(use => use.get(name) ?? 0)) ?? 0,
  }))
  return all.toSorted((one, other) => other.share - one.share)[0] ?? null
}

const sharesOf = ({ all, threads }: CoresUse) =>
  new Map([
    ['all cores', all],
    ...threads.map(({ process, thread, mean }) => {
      const name = `${process} ${thread}`
      return [names[name] ?? name.replace(/ node-MainThread$/, ''), mean] as const
    }),
  ])

export const describeBottleneck = (row: RowResult): string => {
  const found = findBottleneck(row)
  return found ? `${found.name} ${percent(found.share)}` : '-'
}

/** Says for each number of cores how much the last row serves, and which rows serve less than the row above. */
export function describeCores({ steps, settings }: Results): string[] {
  const groups = [...Map.groupBy(steps, ({ cores }) => cores?.count).values()]
  return groups
    .flatMap(rows => {
      const [first, last] = [rows[0], rows.at(-1)]
      const { cores } = first ?? {}
      if (!first || !last || !cores) return []
      const ratio = formatRatio(last.versusFirst?.goodput, 1)
      const gain =
        first === last
          ? ''
          : ` ${nameOf(last).replace(/^s/, 'S')} serves ${ratio} times as much as ${nameOf(first)}; the main thread of ${nameOf(last)} is busy for ${percent(middleOf(last, sample => sample.mainThreadUtilization))}.`
      const less = rows
        .filter(row => row !== first && isLess(row))
        .map(row => `${nameOf(row)} ${formatRatio(row.versusPrevious?.goodput, 2)}`)
      const fallen = less.length > 0 ? ` Less than the step before: ${less.join(', ')}.` : ''
      return [`${describePlace(cores)}${gain}${fallen}`]
    })
    .concat(
      settings.scenario === 'demo'
        ? [
            `The talk claimed ${talk.join(', ')} requests a second; a bug of its pools let one result answer two requests.`,
          ]
        : [],
    )
}

const isLess = (row: RowResult) => row.versusPrevious?.goodput.verdict === 'slower'

const nameOf = ({ number, name }: RowResult) =>
  `${number === null ? '' : `step ${number} `}${withoutLoad(name)}`

/** Says on which cores a row was measured. */
export const describePlace = ({ count, speed }: RowCores) =>
  speed === 1
    ? `${counted(count, 'real core')}.`
    : `${counted(count, 'core')} in slow motion, each at ${percent(speed, 1)} of a real one.`
