import { appendFileSync } from 'node:fs'
import { toggle, type Values } from '../../lib/cli/options.ts'

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

/**
 * Adds Markdown to the summary of the job of GitHub Actions in which this runs, if it runs in one. See
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function addToSummary(markdown: string, env: NodeJS.ProcessEnv = process.env): void {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown}\n`)
}

/** Annotates the job with an error, on stderr, which GitHub Actions reads as well. */
export function annotate(message: string, env: NodeJS.ProcessEnv = process.env): void {
  if (env.GITHUB_ACTIONS !== 'true') return
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  process.stderr.write(`::error title=main-thread::${escaped}\n`)
}
