import { explained, renderMarkdownTable } from '../../lib/cli/columns.ts'
import { type Content, type Presentation, renderText, samplesOf } from '../declaration/presentation.ts'
import { describeNode, type Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import { type Results, repeatCommand, type SavedRun } from '../outcome/results.ts'
import { findNotices } from './notices.ts'

/** The report in Markdown, for a README: its notices, its tables, and the command that measures the same again. */
export function renderReportMarkdown(run: SavedRun, presentation: Presentation): string {
  const content = presentation.content('steps' in run ? withPlainNames(run as Results) : run)
  return [
    `## ${presentation.heading(run).title}`,
    `**${plain(presentation.answer(run))}**`,
    ...findNotices(run, presentation).map(({ title, text }) => `> **${title}.** ${plain(text)}`),
    `${renderRunMarkdown(run, presentation, content)} Medians and ratios with their 95 % intervals.`,
    `\`\`\`sh\n${repeatCommand(run)}\n\`\`\`\n`,
  ].join('\n\n')
}

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
  const { cpu, cores, os, commit, date } = environment
  const [system] = os.split(' ')
  return `${cores} cores (${cpu}, ${system}), ${describeNode(environment)}, commit ${commit ?? 'unknown'}, ${date.slice(0, 10)}.`
}

const withPlainNames = (results: Results): Results => ({
  ...results,
  steps: results.steps.map(row => ({ ...row, name: plain(row.name) })),
})

/** Escapes text so that it is not taken for Markdown or HTML. */
const plain = (text: string) => text.replaceAll(/[\\`*_|[\]<>&]/g, character => `\\${character}`)
