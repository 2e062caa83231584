import type { AppDescription, Update } from '../../live-messages.ts'
import { find, make } from '../dom.ts'
import { formatCount, formatFigure, formatPercent } from '../scale.ts'
import type { Points } from './points.ts'

type Cells = readonly string[]

/** Rewrites a table: the first row names the columns, the first cell of each other row names the row. */
function fill(id: string, [titles = [], ...rows]: readonly Cells[]): void {
  const table = find<HTMLTableElement>(`#${id}`)
  table.tHead?.remove()
  table.tBodies[0]?.remove()
  table.append(
    make('thead', '', make('tr', '', ...titles.map(title => header(title, 'col')))),
    make(
      'tbody',
      '',
      ...rows.map(([name = '', ...cells]) =>
        make('tr', '', header(name, 'row'), ...cells.map(text => make('td', '', text))),
      ),
    ),
  )
}

function header(text: string, scope: 'col' | 'row'): HTMLElement {
  const made = make('th', '', text)
  made.setAttribute('scope', scope)
  return made
}

export function showComposition({ composition, place }: AppDescription): void {
  const instances = place ? [['instances', String(place.of)]] : []
  fill('composition', [['concern', 'implementation'], ...Object.entries(composition), ...instances])
}

export function showDetails({ delayMs, gc, pools, ledger, utilization }: Update): void {
  fill('runtime', [
    ['figure', 'value'],
    ['event loop not waiting', `${formatPercent(utilization)} %`],
    ['turn of the event loop, p99', `${formatFigure(delayMs?.p99)} ms`],
    ['longest turn of the event loop', `${formatFigure(delayMs?.max)} ms`],
    ['time in garbage collection', `${(gc.share * 100).toFixed(1)} %`],
    ['garbage collections', `${formatFigure(gc.perSecond)} /s`],
  ])
  fill('pools', [
    ['pool', 'size', 'in jobs', 'queue', 'wait, ms', 'run, ms'],
    ...pools.map(pool => [
      pool.name,
      String(pool.size),
      `${formatPercent(pool.busy)} %`,
      formatCount(pool.queueLength),
      formatFigure(pool.waitMs),
      formatFigure(pool.runMs),
    ]),
    ...(pools.length === 0 ? [['none', ...Array(5).fill('–')]] : []),
  ])
  fill('ledger', [
    ['signal', 'emitted', 'delivered', 'outstanding'],
    ...Object.entries({
      'log lines': ledger.logLines,
      spans: ledger.spans,
      'metric points': ledger.metricPoints,
    }).map(([name, { emitted, delivered }]) => [
      name,
      formatCount(emitted),
      formatCount(delivered),
      formatCount(delivered === null ? null : emitted - delivered),
    ]),
  ])
}

/** Shows all marks of the charts, also those whose label has no room there, the latest first. */
export function showEvents(points: Points, rangeMs: number): void {
  const { nowMs } = points
  const lasted = (fromMs: number, untilMs = fromMs) =>
    untilMs > nowMs ? 'on' : untilMs > fromMs ? `${formatFigure((untilMs - fromMs) / 1000)} s` : '–'
  const rows = points
    .marksSince(nowMs - rangeMs)
    .map(({ atMs, untilMs, label }) => [formatTime(atMs), label, lasted(atMs, untilMs)])
  fill('events', [
    ['time', 'event', 'lasted'],
    ...(rows.length > 0 ? rows.toReversed() : [['none', '–', '–']]),
  ])
}

const formatTime = (atMs: number): string => new Date(atMs).toLocaleTimeString('en-GB')
