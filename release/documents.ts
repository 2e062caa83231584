import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { runCommand } from '../lib/cli/command.ts'
import { choices, toggle } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { abortWhenAsked } from '../loadtest/run/measure.ts'
import { drawPicture, isOfTour, PICTURE, readPicture } from '../talk/stage/pictures/picture.ts'
import { measure } from './documents/campaign.ts'
import { documents, readDocument, renderDocument } from './documents/documents.ts'
import { findFaults } from './documents/faults.ts'
import { describeTurns } from './documents/figures.ts'
import { oldRuns } from './documents/reached.ts'
import { findLeftResults, forgetResults, runNames } from './documents/runs.ts'
import { writeSizes } from './packages/sizes.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

await runCommand({
  usage: 'npm run docs -- [packages] [options]',
  description: `Writes what is generated in all documents, from the runs in docs/results: tables, the figures between
<!--=RUN.ROW.WHAT--> and <!--/-->, and the picture of the stage, which needs chromium. "packages" writes the sizes of the packages.`,
  options: {
    measure: toggle({
      help: 'first take the published runs, except those that were measured with this code already',
    }),
    only: choices({ choices: runNames, help: 'first take these runs, measured or not' }),
    check: toggle({
      help: 'write nothing; name every figure that no run supports, a picture of another tour, and the runs whose code has changed',
    }),
  },
  takesWords: true,
  async run(options, words) {
    if (words.length > 1 || (words[0] ?? 'packages') !== 'packages')
      throw new UserError(`expects "packages" or no word, received "${words.join(' ')}"`)
    if (words.length > 0) return writeSizes()
    if (options.check) return check()
    const failed = options.measure || options.only ? await measure(options.only, abortWhenAsked()) : []
    forgetResults()
    write()
    await updatePicture()
    if (failed.length > 0)
      throw new UserError(`these runs failed, and have their old results: ${failed.join(', ')}`)
  },
})

function write(): void {
  const old = oldRuns()
  const changed = documents.filter(path => {
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

/** @throws UserError if a document has a figure that no run supports, or the picture shows another tour */
function check(): void {
  const faults = [
    ...documents.flatMap(path => findFaults(path, readDocument(path))),
    ...(isOfTour(readPicture()) ? [] : ['docs/pictures/stage.svg: it does not show the published tour']),
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
      `${faults.length} figures are not supported by a run; npm run docs writes those that follow from one`,
    )
}

/** Draws the picture of the stage, unless it shows the published tour. */
async function updatePicture(): Promise<void> {
  if (isOfTour(readPicture())) return
  try {
    writeFileSync(PICTURE, await drawPicture())
  } catch (error) {
    say(`docs/pictures/stage.svg stays as it was: ${(error as Error).message}`)
  }
}
