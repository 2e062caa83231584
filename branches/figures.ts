import { section, withMoves } from '../loadtest/commands/describe-results.ts'
import { pages } from '../loadtest/commands/tables.ts'
import type { Results, RowResult } from '../loadtest/outcome/results.ts'
import type { Tree } from './git.ts'

/** The published runs in which a step shows what it brings: where it is not the demo's, that of its own scenario. */
const runs: Readonly<Record<string, string>> = { rendering: 'page' }

/** A step's figures beside those of the step before, and how to get them again. */
export interface Figures {
  readonly table: string
  readonly command: string
}

/** Of the run in `docs/results`; undefined where that has not measured the step. */
export function figuresOf(tree: Tree, number: number, name: string): Figures | undefined {
  const file = tree.get(`docs/results/${runs[name] ?? 'ladder'}.json`)
  if (!file) return undefined
  const results = JSON.parse(file.content.toString()) as Results
  const steps = results.steps.filter(row => row.number === number - 1 || row.number === number)
  if (!steps.some(row => row.number === number)) return undefined
  const { scenario } = results.settings
  return {
    table: section({ ...results, steps }, scenario === 'page' ? pages : figures(steps)),
    command: `npm run loadtest -- --scenario ${scenario} --steps ${steps.map(row => row.number).join('-')}`,
  }
}

export const showFigures = (figures: Figures | undefined): string =>
  figures
    ? `${figures.table}\n\nOn \`main\`, \`${figures.command}\` gives them again.`
    : 'It has not been measured yet.'

/** The columns of the ladder without what each row changed: that would name what the step has left behind. */
const figures = (steps: readonly RowResult[]) => withMoves(steps).filter(({ title }) => title !== 'moved')
