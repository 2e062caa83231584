import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { readEnvironment } from '../../loadtest/outcome/environment.ts'
import { html, trusted } from '../../loadtest/report/html.ts'
import { Repository } from '../../release/branches/git.ts'
import { slidePaths } from '../../release/branches/rules.ts'
import { commitSteps } from '../../release/branches/update.ts'
import type { Length } from './script.ts'
import { makeSlides, type Slide } from './slides.ts'

const DIST = join(import.meta.dirname, 'dist')

interface DeckOptions {
  readonly length: Length
  readonly stageUrl: string
  readonly out: string
}

/** Writes the deck. @returns the number of its slides */
export function writeDeck({ length, stageUrl, out }: DeckOptions): number {
  const repository = new Repository(process.cwd())
  const branches = commitSteps(repository, repository.run(['rev-parse', 'HEAD']))
  const slides = makeSlides({
    length,
    stageUrl,
    diffOf({ number }) {
      const [before, now] = [branches[number - 1]?.commit ?? '', branches[number]?.commit ?? '']
      return repository.read(['diff', '-U1', before, now, '--', ...slidePaths])
    },
  })
  const { commit, node, date } = readEnvironment()
  const source = `commit ${commit ?? 'unknown'}, Node.js ${node}, ${date.slice(0, 10)}`
  saveFile(out, renderDeck(slides, length, source))
  return slides.length + 1
}

/**
 * The deck as one self-contained HTML document; only the live stage is loaded, from this machine.
 * @param source the commit and the date of the published figures
 */
export function renderDeck(slides: readonly Slide[], minutes: Length, source: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Decomposition of the Main Thread, in ${minutes} minutes</title>
<style>${trusted(read('deck.css'))}</style>
</head>
<body>
<div class="reveal"><div class="slides">
<section data-timing="0"><h1>Decomposition of the Main Thread</h1><p class="said">One service, kept in eight states. Each moves one more concern off the main thread.</p><p class="source">${source}</p></section>
${slides.map(
  ({ title, content, notes, seconds }) =>
    html`<section data-timing="${Math.round(seconds)}"><h2>${title}</h2>${content}<aside class="notes">${notes}</aside></section>
`,
)}</div></div>
<script>${trusted(read('deck.js').replaceAll('</script', '<\\/script'))}</script>
</body>
</html>
`.toString()
}

function read(name: string): string {
  try {
    return readFileSync(join(DIST, name), 'utf8')
  } catch {
    throw new UserError('the deck is not built: run "npm run build"')
  }
}
