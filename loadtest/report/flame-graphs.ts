import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { percent } from '../../lib/units.ts'
import type { Results } from '../outcome/results.ts'
import { slices } from '../spectrum/spectrum.ts'
import { type Frame, readCallTree } from './call-tree.ts'
import { FLAME_GRAPH_BUNDLE } from './dist.ts'
import { type Html, html, renderHead, trusted } from './html.ts'
import { stylesOfThemes } from './page.ts'
import { sliceColors, themes } from './palette.ts'
import { splitRows } from './plots/spectrum.ts'
import { renderTable } from './report-plot.ts'
import { nameOf } from './rows.ts'

/** A page with a flame graph, beside the report. */
export interface FlameGraph {
  readonly name: string
  /** URL relative to the report. */
  readonly href: string
}

/**
 * Writes a page for the profile of every thread in the results. A thread without a file for its profile is left out.
 * @param source directory of the profiles
 * @param directory directory of the report
 */
export function writeFlameGraphs(results: Results, source: string, directory: string): FlameGraph[] {
  const threads = splitRows(results).flatMap(row =>
    [row.spectrum, ...row.spectrum.threads].map(({ thread, profile }) => ({
      name: `${nameOf(row)}, ${thread}`,
      profile,
    })),
  )
  const found = threads.flatMap(({ name, profile }) => {
    const path = normalize(profile)
    const tree = path.startsWith('..') ? null : readTree(join(source, path))
    return tree ? [{ name, path, tree }] : []
  })
  if (found.length === 0) return []
  const script = readScript()
  return found.map(({ name, path, tree }) => {
    const page = path.replace(/\.cpuprofile$/, '.html')
    mkdirSync(dirname(join(directory, page)), { recursive: true })
    writeFileSync(join(directory, page), renderFlameGraph(name, tree, script))
    return { name, href: page.split(/[/\\]/).map(encodeURIComponent).join('/') }
  })
}

function readTree(path: string): Frame | null {
  try {
    return readCallTree(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Reads the script of the page, which `npm run build` makes. */
const readScript = () => readFileSync(FLAME_GRAPH_BUNDLE, 'utf8').replaceAll('</script', '<\\/script')

const GREY = { fill: themes.dark.quiet, ink: '#14161a' }
const colors = { ...sliceColors, control: GREY, idle: GREY }

const ownStyles = () => trusted(readFileSync(join(import.meta.dirname, 'flame-graph.css'), 'utf8'))

function renderFlameGraph(name: string, tree: Frame, script: string): string {
  return html`<!doctype html>
<html lang="en">
${renderHead(`${name} · flame graph`, html`${stylesOfThemes()}${ownStyles()}`, { hasScript: true })}
<body>
<h1>${name}</h1>
<p>Each bar is a function. Its width is the running time of the function and of the functions that it called, which are below it. Its colour is the concern that its time belongs to; muted colours belong to no concern. Control is extra work of known size that checks the profiler. Click a bar to zoom in. By keyboard: arrows move, down to the widest, Enter zooms in, Escape out.</p>
<ul class="legend">${[...slices, 'control' as const].map(kind => html`<li style="${styleOf(kind)}">${kind}</li>`)}</ul>
<p><label>Find <input id="search" type="search"></label> <button id="reset" type="button">Show all</button></p>
<div id="graph" tabindex="0" role="application" aria-label="Flame graph of ${name}" aria-describedby="details"><ol>${renderFrame(tree, tree.value, tree.value)}</ol></div>
<p id="details" role="status"></p>
<h2>Where the time is spent</h2>
${renderTable('Functions by their own time', ownTimes(tree), [
  { title: 'function', cell: each => each.name },
  { title: 'concern', cell: each => each.kind },
  { title: 'own time, ms', cell: each => (each.micros / 1000).toFixed(1) },
  { title: 'of the thread', cell: each => percent(each.micros / tree.value, 1) },
])}
<script>${trusted(script)}</script>
</body>
</html>
`.toString()
}

const styleOf = (kind: Frame['kind']) => `background:${colors[kind].fill};color:${colors[kind].ink}`

/** Renders a function with those that it called below it, by their names. Each is as wide as its share of its caller. */
function renderFrame({ name, kind, value, children }: Frame, callerMicros: number, allMicros: number): Html {
  const told = `${name}, ${kind}: ${(value / 1000).toFixed(1)} ms, ${percent(value / allMicros, 1)} of the thread`
  const called = children.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return html`<li style="width:${((value / callerMicros) * 100).toFixed(3)}%" title="${told}"><span style="${styleOf(kind)}">${name}</span>
<ol>${called.map(child => renderFrame(child, value, allMicros))}</ol></li>`
}

const LONGEST_LIST = 25

/** Lists the functions that take the most time themselves. */
function ownTimes(tree: Frame) {
  const byName = new Map<string, { name: string; kind: string; micros: number }>()
  const visit = ({ name, kind, value, children }: Frame) => {
    const known = byName.get(`${name} ${kind}`) ?? { name, kind, micros: 0 }
    known.micros += value - children.reduce((sum, child) => sum + child.value, 0)
    byName.set(`${name} ${kind}`, known)
    children.forEach(visit)
  }
  visit(tree)
  return [...byName.values()].toSorted((a, b) => b.micros - a.micros).slice(0, LONGEST_LIST)
}
