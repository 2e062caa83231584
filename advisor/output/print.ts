import { toggle, type Values } from '../../lib/cli/options.ts'
import { addToSummary } from './github.ts'

/** The options that choose the form of an answer. */
export const formOptions = {
  json: toggle({ help: 'the answer as JSON' }),
  markdown: toggle({ help: 'the answer as Markdown' }),
}

/** Prints an answer in the form that was chosen, and adds it to the summary of the job of GitHub Actions, if this runs in one. */
export function printAnswer(
  chosen: Values<typeof formOptions>,
  { json, markdown, text }: { json: object; markdown: string; text: string },
): void {
  process.stdout.write(chosen.json ? `${JSON.stringify(json, null, 2)}\n` : chosen.markdown ? markdown : text)
  addToSummary(markdown)
}
