import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASSETS } from '../../../render/dist.ts'
import type { Link } from './links.ts'

export const STYLE = readFileSync(join(import.meta.dirname, 'front-page.css'), 'utf8')

const TITLE = 'Decomposition of the Main Thread'

/** The concerns in the picture, with their places: lane, first pixel and width, before and after they are moved. */
const moves = [
  { name: 'framework', before: [0, 60], lane: 0, after: [0, 60] },
  { name: 'compute', before: [64, 176], lane: 1, after: [40, 176] },
  { name: 'serialization', before: [244, 50], lane: 1, after: [274, 50] },
  { name: 'logging', before: [298, 72], lane: 3, after: [90, 72] },
  { name: 'apm', before: [374, 88], lane: 4, after: [110, 88] },
  { name: 'rendering', before: [466, 120], lane: 2, after: [70, 120] },
  { name: 'upstream', before: [590, 50], lane: 1, after: [220, 50] },
] as const

const LANE = { gap: 22, height: 14, first: 46 } as const

/** One main thread that does everything, and below it the lanes to which its work is moved. */
function drawLanes(): string {
  const bar = (name: string, [x, width]: readonly [number, number], y: number) =>
    `<rect class="${name}" x="${x}" y="${y}" width="${width}" height="${LANE.height}" rx="3"/>`
  const before = moves.map(({ name, before }) => bar(name, before, 0))
  const lanes = [0, 1, 2, 3, 4].map(lane => bar('lane', [0, 640], LANE.first + lane * LANE.gap))
  const after = moves.map(({ name, lane, after }) => bar(name, after, LANE.first + lane * LANE.gap))
  return `<svg viewBox="0 0 640 150" aria-hidden="true">${[...before, ...lanes, ...after].join('')}</svg>`
}

const renderLink = ({ href, title, description }: Link): string => `<li>
          <a href="${href}">${title}</a>
          <code>${href}</code>
          <p>${description}</p>
        </li>`

/** The front page. Links are ours and need no escaping. */
export function renderHtml(links: readonly Link[]): string {
  const icon = readdirSync(ASSETS).find(name => /^icon.*\.svg$/.test(name))
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <meta name="description" content="One Node.js service in several states, each with one more concern off the main thread.">
    <link rel="icon" href="/assets/${icon}">
    <style>${STYLE}</style>
  </head>
  <body>
    <header>
      <h1>${TITLE}</h1>
      <p>One Node.js service in several states. Each moves one more concern off the main thread, and a load test says what
        that brings.</p>
    </header>
    <main>
      <figure>
        ${drawLanes()}
        <figcaption>Above, one thread does everything. Below, it keeps what only it can do.</figcaption>
      </figure>
      <h2 id="links">Where to go</h2>
      <ul aria-labelledby="links">
        ${links.map(renderLink).join('\n        ')}
      </ul>
    </main>
    <footer>
      <p>Clients that prefer JSON get the same links as JSON. <code>npm run loadtest</code> measures every state.</p>
    </footer>
  </body>
</html>
`
}
