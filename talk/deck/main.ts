import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../../lib/cli/command.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { talkOptions } from './options.ts'

await runCommand({
  usage: 'npm run talk -- [options]',
  description: `Writes the slides of the talk as one HTML file, made from docs/talk.md, the published runs and the code of the steps.
In the deck, arrows and the keys of a clicker move, s opens the speaker notes, t shows the time that is left, d changes the
theme, f is for the full screen. For a PDF, add ?view=print to the address, and print.`,
  options: talkOptions,
  async run({ minutes, rehearse, check, stageUrl, out = join(import.meta.dirname, 'dist/talk.html') }) {
    if (check) {
      const { checkReady } = await import('./check.ts')
      process.exitCode = (await checkReady()) ? 0 : 1
      return
    }
    const { writeDeck } = await import('./write.ts')
    const count = writeDeck({ length: minutes, isRehearsal: rehearse, stageUrl, out }, saveFile)
    process.stderr.write(`${count} slides for ${minutes} minutes: ${pathToFileURL(out).href}\n`)
  },
})
