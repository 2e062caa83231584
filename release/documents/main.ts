import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { runCommand } from '../../lib/cli/command.ts'
import { choices, toggle } from '../../lib/cli/options.ts'
import { onStopRequested } from '../../lib/cli/stop-requested.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { documents, listSources, readDocument, renderDocument } from '../../loadtest/documents/documents.ts'
import { findFaults } from '../../loadtest/documents/faults.ts'
import { describeTurns } from '../../loadtest/documents/figures.ts'
import { oldRuns } from '../../loadtest/documents/reached.ts'
import { forgetResults, runNames } from '../../loadtest/documents/runs.ts'
import { measure } from './campaign.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

await runCommand({
  usage: 'npm run docs -- [pictures|packages] [options]',
  description: `Writes what is generated in all documents and comments, from the runs in docs/results: tables, and the words between
<!--=RUN.ROW.WHAT--> and <!--/-->. "pictures" draws the pictures, "packages" writes the sizes of the packages.`,
  options: {
    measure: toggle({
      help: 'first take the published runs, except those that were measured with this code already; then also draw the pictures',
    }),
    only: choices({ choices: runNames, help: 'with --measure: take these runs, measured or not' }),
    check: toggle({
      help: 'write nothing; name every figure that no run supports, and the runs whose code has changed',
    }),
  },
  async run(options) {
    if (options.check) return check()
    const failed = options.measure ? await measure(options.only, abortWhenAsked()) : []
    forgetResults()
    write()
    if (options.measure)
      spawnSync(process.execPath, ['release/documents.ts', 'pictures'], { stdio: 'inherit' })
    if (failed.length > 0)
      throw new UserError(`these runs failed, and have their old results: ${failed.join(', ')}`)
  },
})

function abortWhenAsked(): AbortSignal {
  const controller = new AbortController()
  onStopRequested(() => controller.abort())
  return controller.signal
}

function write(): void {
  const old = oldRuns()
  const changed = [...documents, ...listSources()].filter(path => {
    const text = readDocument(path)
    const rendered = renderOr(path, text, old)
    if (rendered !== text) writeFileSync(path, rendered)
    return rendered !== text
  })
  // Figures stand in tables that people wrote, too, whose columns have other widths now.
  if (changed.length > 0) spawnSync('npx', ['biome', 'format', '--write', ...changed])
}

/** The text with its figures made anew, or as it was where a reference leads to nothing; tells which findings have turned around. */
function renderOr(path: string, text: string, old: readonly string[]): string {
  try {
    for (const turn of describeTurns(text)) say(`${path}:${turn}`)
    return renderDocument(text, old)
  } catch (error) {
    say(`${path} stays as it was: ${(error as Error).message}`)
    return text
  }
}

/** @throws UserError if a document has a figure that no run supports */
function check(): void {
  const faults = [...documents, ...listSources()].flatMap(path => findFaults(path, readDocument(path)))
  for (const fault of faults) say(fault)
  const old = oldRuns()
  if (old.length > 0)
    say(
      `warning: the code of these runs has changed since; npm run docs -- --measure takes them again: ${old.join(', ')}`,
    )
  if (faults.length > 0)
    throw new UserError(`${faults.length} figures in documents or comments are not supported by a run`)
}
