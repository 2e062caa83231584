import { join } from 'node:path'
import { renderColumns } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { text } from '../../lib/cli/options.ts'
import { contentOf, copyContent } from './content.ts'
import { images } from './table.ts'

const ROOT = join(import.meta.dirname, '../..')

await runCommand({
  usage: 'npx node release/images/main.ts -- [options]',
  description: `Says what each image for containers holds: files of the project, packages that these import, and these
packages and all that they depend on. It is derived from the imports of the files that the processes of the image start with.`,
  options: {
    into: text({ placeholder: 'DIR', help: 'copy the content of every image to a directory in DIR' }),
  },
  async run({ into }) {
    const rows = Object.entries(images).map(([name, image]) => ({ name, ...contentOf(ROOT, image) }))
    if (into) for (const row of rows) copyContent(ROOT, row, join(into, row.name))
    const table = renderColumns(rows, [
      { title: 'image', cell: ({ name }) => name },
      { title: 'files', cell: ({ files }) => String(files.length) },
      { title: 'imported', cell: ({ imported }) => String(imported.length) },
      { title: 'packages', cell: ({ packages }) => String(packages.length) },
    ])
    process.stdout.write(`${table}\n`)
  },
})
