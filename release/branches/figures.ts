import type { Step } from '../../app/steps.ts'
import { presentationOf } from '../../loadtest/commands/index.ts'
import type { Content } from '../../loadtest/declaration/presentation.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { renderRunMarkdown } from '../../loadtest/report/markdown.ts'
import type { Tree } from './git.ts'

/** The published runs that show the gain of a step, for steps whose gain is not visible in the run of the demo. */
const runs: Readonly<Record<string, string>> = { rendering: 'page' }

/** The figures of a step and of the step before, with the command that measures them. */
export interface Figures {
  readonly table: string
  readonly command: string
}

/** The figures from the run in `docs/results`; undefined if that run has not measured the step. */
export function figuresOf(tree: Tree, { number, name }: Step): Figures | undefined {
  const file = tree.get(`docs/results/${runs[name] ?? 'ladder'}.json`)
  if (!file) return undefined
  const results = JSON.parse(file.content.toString()) as Results
  const steps = results.steps.filter(row => row.number === number - 1 || row.number === number)
  // After the order of the steps has changed, the number of a step is that of another one in an older run.
  if (!steps.some(row => row.number === number && row.name === name)) return undefined
  const { scenario } = results.settings
  return {
    table: showTable({ ...results, steps }),
    command: `npm run loadtest -- --scenario ${scenario} --steps ${steps.map(row => row.number).join('-')}`,
  }
}

export const showFigures = (figures: Figures | undefined): string =>
  figures
    ? `${figures.table}\n\nOn \`main\`, \`${figures.command}\` gives them again.`
    : 'It has not been measured yet.'

function showTable(run: Results): string {
  const presentation = presentationOf(run)
  const [ladder] = presentation.content(run)
  return renderRunMarkdown(run, presentation, ladder ? [inShort(ladder)] : [])
}

/** The columns that a README has room for. The implementations that were replaced are not on the branch. */
const shown = ['step', 'main thread µs', '× previous', 'verdict', 'goodput/s', 'p99 ms']

const inShort = (content: Content): Content =>
  content.kind === 'table'
    ? {
        ...content,
        columns: shown.flatMap(title => content.columns.find(each => each.title === title) ?? []),
      }
    : content
