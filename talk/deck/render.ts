import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { html, trusted } from '../../loadtest/report/html.ts'
import type { Slide } from './slides.ts'

const DIST = join(import.meta.dirname, 'dist')

interface Deck {
  readonly slides: readonly Slide[]
  /** The planned length of the talk. */
  readonly minutes: number
  /** The commit and the date of the published figures. */
  readonly source: string
}

/** The deck as one self-contained HTML document; only the live stage is loaded, from this machine. */
export function renderDeck({ slides, minutes, source }: Deck): string {
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
