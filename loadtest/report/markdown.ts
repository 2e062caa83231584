import { explained, renderMarkdownTable } from '../../lib/cli/columns.ts'
import { type Content, type Presentation, renderText, samplesOf } from '../declaration/presentation.ts'
import type { Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'

/** Tables and remarks of a run in Markdown, with a paragraph on how, where and when they were measured. */
export function renderRunMarkdown(
  run: SavedRun,
  presentation: Presentation,
  content: readonly Content[] = presentation.content(run),
): string {
  const { environment } = run
  const samples = samplesOf(run, presentation)
  const refused = samples.filter(({ valid }) => !valid).length
  const noisy = samples.filter(isNoisy).length
  const judged = [
    ...(refused > 0 ? [`${counted(refused, 'sample')} refused`] : []),
    ...(noisy > 0 ? [`**${noisy} noisy**`] : []),
  ]
  return `${renderText(content, explained(renderMarkdownTable))}

${[presentation.method(run), ...judged].join(', ')};
${describeEnvironment(environment)}`
}

export const describeEnvironment = (environment: Environment): string => {
  const { cpu, cores, os, node, commit, date } = environment
  const [system] = os.split(' ')
  return `${cores} cores (${cpu}, ${system}), Node.js ${node}, commit ${commit ?? 'unknown'}, ${date.slice(0, 10)}.`
}
