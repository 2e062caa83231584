import type { SavedRun } from '../outcome/saved-run.ts'
import type { Presentation } from './presentation.ts'
import { renderForTerminal } from './render-text.ts'

/** Prints a run on stdout: all of it as JSON, or its tables and remarks, and last the answer in a few words. */
export function printRun<Run extends SavedRun>(
  run: Run,
  presentation: Presentation<Run>,
  json: boolean,
): void {
  const answer = { kind: 'remarks', sentences: [presentation.answer(run)] } as const
  const text = json
    ? JSON.stringify(run, null, 2)
    : `\n${renderForTerminal([...presentation.content(run), answer])}`
  process.stdout.write(`${text}\n`)
}
