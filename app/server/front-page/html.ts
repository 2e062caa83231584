import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concernColors } from '../../concern-colors.ts'
import { ASSETS } from '../../pages/assets.ts'
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

/** The lanes to which the concerns are moved, from the first. */
const lanes = ['main thread', 'worker threads', 'render threads', 'log process', 'telemetry process']

const bar = (name: keyof typeof concernColors, [x, width]: readonly [number, number]) =>
  `<rect x="${x}" width="${width}" height="14" rx="3" fill="${concernColors[name].fill}"/>`

const drawLane = (label: string, bars: readonly string[]) =>
  `<dt>${label}</dt><dd><svg viewBox="0 0 640 14" preserveAspectRatio="none">${bars.join('')}</svg></dd>`

/** One main thread that does everything, and below it the lanes to which its work is moved. */
const drawLanes = () => `<dl aria-hidden="true">
          ${drawLane(
            'one thread',
            moves.map(({ name, before }) => bar(name, before)),
          )}
        </dl>
        <dl aria-hidden="true">
          ${lanes
            .map((label, lane) =>
              drawLane(
                label,
                moves.flatMap(move => (move.lane === lane ? bar(move.name, move.after) : [])),
              ),
            )
            .join('\n          ')}
        </dl>
        <ul class="legend" aria-label="Concerns">
          ${moves.map(({ name }) => `<li><svg viewBox="0 0 14 14" aria-hidden="true">${bar(name, [0, 14])}</svg>${name}</li>`).join('\n          ')}
        </ul>`

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
      <ul class="links" aria-labelledby="links">
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
