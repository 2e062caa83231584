import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { runCommand } from '../../lib/cli/command.ts'
import { choices, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { documents, listSources, readDocument, renderDocument } from '../../loadtest/documents/documents.ts'
import { findFaults } from '../../loadtest/documents/faults.ts'
import { describeTurns } from '../../loadtest/documents/figures.ts'
import { oldRuns } from '../../loadtest/documents/reached.ts'
import { findLeftResults, forgetResults, runNames } from '../../loadtest/documents/runs.ts'
import { measure } from './campaign.ts'
import { join } from 'node:path'
import { abortWhenAsked } from '../../loadtest/run/abort.ts'
import { findOldPictures, PICTURES, pictures } from '../../talk/stage/pictures/pictures.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

await runCommand({
  usage: 'npm run docs -- [packages] [options]',
  description: `Writes what is generated in all documents and comments, from the runs in docs/results: tables, the words between
<!--=RUN.ROW.WHAT--> and <!--/-->, and the pictures; that of the stage needs chromium. "packages" writes the sizes of the packages.`,
  options: {
    measure: toggle({
      help: 'first take the published runs, except those that were measured with this code already',
    }),
    only: choices({ choices: runNames, help: 'with --measure: take these runs, measured or not' }),
    check: toggle({
      help: 'write nothing; name every figure that no run supports, every picture of other results, and the runs whose code has changed',
    }),
  },
  async run(options) {
    if (options.check) return check()
    const failed = options.measure ? await measure(options.only, abortWhenAsked()) : []
    forgetResults()
    write()
    await drawPictures()
    if (failed.length > 0)
      throw new UserError(`these runs failed, and have their old results: ${failed.join(', ')}`)
  },
})

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

/** @throws UserError if a document has a figure that no run supports, or a picture shows other results */
function check(): void {
  const faults = [
    ...[...documents, ...listSources()].flatMap(path => findFaults(path, readDocument(path))),
    ...findOldPictures().map(name => `docs/pictures/${name}: it does not show the published results`),
    ...findLeftResults().map(name => `docs/results/${name}: it belongs to no published run`),
  ]
  for (const fault of faults) say(fault)
  const old = oldRuns()
  if (old.length > 0)
    say(
      `warning: the code of these runs has changed since; npm run docs -- --measure takes them again: ${old.join(', ')}`,
    )
  if (faults.length > 0)
    throw new UserError(
      `${faults.length} figures or pictures are not supported by a run; npm run docs writes those that follow from one`,
    )
}

/** Draws the pictures that do not show the published results. */
async function drawPictures(): Promise<void> {
  for (const name of findOldPictures()) {
    try {
      const picture = await pictures[name]?.draw()
      if (picture === undefined) continue
      writeFileSync(join(PICTURES, name), picture)
      say(`docs/pictures/${name}: ${Math.ceil(Buffer.byteLength(picture) / 1024)} KiB`)
    } catch (error) {
      say(`docs/pictures/${name} stays as it was: ${(error as Error).message}`)
    }
  }
}
