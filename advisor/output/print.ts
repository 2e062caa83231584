import { appendFileSync } from 'node:fs'
import { toggle } from '../../lib/cli/options.ts'

export const jsonOption = toggle({ help: 'the answer as JSON' })

/**
 * Prints an answer as text or as JSON. If this runs in a job of GitHub Actions, the text is also added to its summary, see
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function printAnswer(isJson: boolean, answer: object, text: string, env = process.env): void {
  process.stdout.write(isJson ? `${JSON.stringify(answer, null, 2)}\n` : text)
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `\`\`\`\n${text}\`\`\`\n`)
}
