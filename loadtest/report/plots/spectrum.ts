import { barX, dot, type Markish, text } from '@observablehq/plot'
import { percent } from '../../../lib/units.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import type { Next } from '../../spectrum/prediction.ts'
import { type Slice, type Spectrum, slices, slicesOf } from '../../spectrum/spectrum.ts'
import { endLabels, layoutRows, roomFor, valueAxis } from '../bars.ts'
import { sliceColors } from '../palette.ts'
import { draw, nameOf, type Plot, TEXT_PX, WIDTH_PX, widthOf } from '../plot.ts'
import { renderTable } from '../table.ts'

type Split = RowResult & { readonly spectrum: Spectrum }

export const splitRows = ({ steps }: Pick<Results, 'steps'>): Split[] =>
  steps.filter((row): row is Split => Boolean(row.spectrum))

const RULE =
  'The time of each function counts for the nearest function on its stack that belongs to a concern. Slices in muted colours belong to no concern: the service itself, HTTP, the runtime, garbage collection, native code. A bar is as long as the cost that was measured without a profiler; its parts are those of a sample of its own that ran with one, because a profiler costs time, too. The dashed part is time that was used, and that the profiler did not see.'

const TITLE = 'How the main thread spends its time'

/** Plots how the main thread of each row spends its time. */
export function spectrumPlot(results: Pick<Results, 'steps'>): Plot | null {
  const rows = splitRows(results)
  if (rows.length === 0) return null
  return {
    id: 'spectrum',
    title: TITLE,
    summary: `${rows.map(row => `${nameOf(row)}: ${describe(row)}`).join('; ')}.`,
    howToRead: `CPU microseconds of the main thread per response, split by concern. ${RULE} In the figures, “next” is the largest concern that the ladder still moves from here or, when it moves none, the largest that is left.`,
    draw: () => drawSpectrum(rows),
    data: renderTable(TITLE, rows, [
      { title: 'row', cell: nameOf },
      { title: 'µs', cell: row => microsOf(row).toFixed(0) },
      ...slicesOf(rows.map(({ spectrum }) => spectrum)).map(slice => ({
        title: slice,
        cell: ({ spectrum }: Split) => percent(spectrum.shares[slice], 1),
      })),
      { title: 'unattributed', cell: ({ spectrum }) => percent(spectrum.unattributed, 1) },
      { title: 'responses', cell: ({ spectrum }) => String(spectrum.responses) },
      { title: 'next', cell: ({ next }) => (next ? nameNext(next) : '-') },
    ]),
  }
}

/** What a response costs; with the profiler where nothing was measured without it. */
const microsOf = ({ mainThreadMicros, spectrum }: Split) => mainThreadMicros.median ?? spectrum.cpuMicros

const costOf = (row: Split) => `${microsOf(row).toFixed(0)} µs`

const describe = (row: Split) => `${costOf(row)}${row.next ? `, ${nameNext(row.next)}` : ''}`

/** Names the concern that the ladder moves next or, when it moves no more, the largest that is left. */
const nameNext = ({ concern, share, isOnLadder }: Next) =>
  `${isOnLadder ? 'next' : 'largest left'}: ${concern} ${percent(share)}`

interface Segment {
  readonly row: number
  readonly from: number
  readonly to: number
  /** The slice; null for time that the profile did not see. */
  readonly slice: Slice | null
}

function segmentsOf(split: Split, row: number): Segment[] {
  const { spectrum } = split
  const { shares, unattributed } = spectrum
  let from = 0
  return [...slicesOf([spectrum]), null]
    .map((slice): Segment => {
      const share = slice ? shares[slice] : unattributed
      const segment = { row, slice, from, to: from + Math.max(0, share) * microsOf(split) }
      from = segment.to
      return segment
    })
    .filter(({ from, to }) => to > from)
}

function drawSpectrum(rows: readonly Split[]): string {
  const named = rows.map(row => ({ name: nameOf(row), label: costOf(row) }))
  const segments = rows.flatMap(segmentsOf)
  const shown = new Set(segments.flatMap(({ slice }) => slice ?? []))
  const legend = slicesLegend(shown)
  const layout = layoutRows(named, legend.heightPx)
  const { options, insets, plotPx, linesAt } = layout
  const ends = named.map(({ label }, row) => {
    const end = Math.max(0, ...segments.filter(segment => segment.row === row).map(({ to }) => to))
    return { label, row, end }
  })
  const domainEnd = Math.max(roomFor(ends, plotPx), 1)
  const fits = (name: string, { from, to }: Segment) =>
    ((to - from) / domainEnd) * plotPx > widthOf(name, TEXT_PX * 0.85) + TEXT_PX * 0.2
  const ofSlice = (slice: Slice | null) => segments.filter(segment => segment.slice === slice)
  const place = { y: 'row', x1: 'from', x2: 'to', insetRight: 0.75, insetLeft: 0.75, ...insets }
  return draw({
    ...options,
    x: { domain: [0, domainEnd] },
    marks: [
      ...legend.draw(options),
      ...valueAxis(layout, 'µs a response', Math.max(1, ...ends.map(({ end }) => end))),
      ...slices.flatMap(slice => [
        barX(ofSlice(slice), { ...place, fill: sliceColors[slice].fill }),
        text(
          ofSlice(slice).filter(segment => fits(slice, segment)),
          {
            y: 'row',
            x: ({ from, to }: Segment) => (from + to) / 2,
            text: () => slice,
            fill: sliceColors[slice].ink,
            fontSize: TEXT_PX * 0.85,
            fontWeight: 600,
          },
        ),
      ]),
      barX(ofSlice(null), { ...place, fill: 'none', stroke: 'var(--quiet)', strokeDasharray: '4 3' }),
      linesAt([0], { stroke: 'var(--text)', strokeWidth: 2 }),
      endLabels(ends),
    ],
  })
}

/** The names of the slices in their colours, in as many lines as they need, above the frame of the plot. */
function slicesLegend(shown: ReadonlySet<Slice>) {
  const linePx = TEXT_PX * 1.5
  let [x, line] = [0, 0]
  const entries = slices
    .filter(slice => shown.has(slice))
    .map(slice => {
      const entryPx = widthOf(slice) + TEXT_PX * 1.9
      if (x > 0 && x + entryPx > WIDTH_PX) [x, line] = [0, line + 1]
      const entry = { slice, x, y: (line + 0.5) * linePx }
      x += entryPx
      return entry
    })
  const draw = (margins: { readonly marginLeft: number; readonly marginTop: number }): Markish[] =>
    entries.flatMap(({ slice, x, y }) => {
      const place = { frameAnchor: 'top-left', dy: y - margins.marginTop } as const
      const dx = x - margins.marginLeft
      const { fill } = sliceColors[slice]
      return [
        dot([slice], { ...place, dx: dx + TEXT_PX / 2, symbol: 'square', r: TEXT_PX / 2, fill }),
        text([slice], { ...place, dx: dx + TEXT_PX * 1.3, textAnchor: 'start', lineAnchor: 'middle' }),
      ]
    })
  return { draw, heightPx: (line + 1) * linePx }
}
