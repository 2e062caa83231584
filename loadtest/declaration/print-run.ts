import type { SavedRun } from '../outcome/saved-run.ts'
import type { Presentation } from './presentation.ts'
import { renderForTerminal } from './render-text.ts'

/**
 * Prints a run on stdout: all of it as JSON, or its tables and remarks, and last the answer in a few words.
 * @param verbose also prints details
 */
export function printRun<Run extends SavedRun>(
  run: Run,
  presentation: Presentation<Run>,
  { json, verbose = true }: { readonly json: boolean; readonly verbose?: boolean },
): void {
  const answer = { kind: 'remarks', sentences: [presentation.answer(run)] } as const
  const content = presentation.content(run).filter(({ isDetail }) => verbose || !isDetail)
  const text = json ? JSON.stringify(run, null, 2) : `\n${renderForTerminal([...content, answer])}`
  process.stdout.write(`${text}\n`)
}
