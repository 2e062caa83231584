import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../../lib/cli/command.ts'
import { choice, text } from '../../lib/cli/options.ts'
import { lengths } from './script.ts'

await runCommand({
  usage: 'npm run talk -- [options]',
  description: `Writes the slides of the talk as one HTML file, made from docs/talk.md, the published runs and the code of the steps.
In the deck, arrows and the keys of a clicker move, s opens the speaker notes with the time that is left for the slide, d
changes the theme, f is for the full screen. For a PDF, add ?view=print to the address, and print.`,
  options: {
    minutes: choice({
      choices: lengths,
      default: '40',
      help: 'length of the talk; shorter ones leave parts out',
    }),
    stageUrl: text({
      placeholder: 'URL',
      default: 'http://127.0.0.1:4317/',
      help: 'address of the stage, which some slides show; with its # and token, keys work there',
    }),
    out: text({ placeholder: 'FILE', help: 'file of the deck (default: talk/deck/dist/talk.html)' }),
  },
  async run({ minutes, stageUrl, out = join(import.meta.dirname, 'dist/talk.html') }) {
    const { writeDeck } = await import('./write.ts')
    const count = writeDeck({ length: minutes, stageUrl, out })
    process.stderr.write(`${count} slides for ${minutes} minutes: ${pathToFileURL(out).href}\n`)
  },
})
