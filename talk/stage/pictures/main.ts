import { join } from 'node:path'
import { runCommand } from '../../../lib/cli/command.ts'
import { saveFile } from '../../../lib/os/save-file.ts'

await runCommand({
  usage: 'npm run docs -- pictures',
  description: `Draws the pictures of the README again, from the tour and the runs in docs/results. The one of the stage needs
chromium.`,
  options: {},
  async run() {
    const { PICTURES, pictures } = await import('./pictures.ts')
    for (const [name, draw] of Object.entries(pictures)) {
      const picture = await draw()
      saveFile(join(PICTURES, name), picture)
      process.stderr.write(`docs/pictures/${name}: ${Math.ceil(Buffer.byteLength(picture) / 1024)} KiB\n`)
    }
  },
})
