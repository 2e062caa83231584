import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../lib/cli/command.ts'
import { text } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { documents, renderDocument, resultsPath } from './documents.ts'
import { type PublishedName, published, runNames } from './published.ts'

const fileOf = (name: PublishedName) =>
  text({ placeholder: 'FILE', help: `publish this run in place of docs/results/${name}.json` })
const options = Object.fromEntries(runNames.map(name => [name, fileOf(name)])) as Record<
  PublishedName,
  ReturnType<typeof fileOf>
>

await runCommand({
  usage: 'npm run docs -- results [options]',
  description: 'Writes the generated tables of README and docs from the runs in docs/results.',
  options,
  async run(files) {
    for (const name of runNames) {
      const file = files[name]
      if (!file) continue
      const results = published[name].read(file)
      requireCalm(file, results)
      writeFileSync(resultsPath(name), `${JSON.stringify(results)}\n`)
    }
    for (const document of documents) {
      const path = join(import.meta.dirname, '../..', document)
      writeFileSync(path, renderDocument(readFileSync(path, 'utf8')))
    }
  },
})

/** @throws UserError when other programs disturbed samples that count */
function requireCalm(file: string, results: object): void {
  if ('noisy' in results && results.noisy)
    throw new UserError(
      `${file} is noisy: other programs disturbed its samples; publish a run of a calm machine`,
    )
}
