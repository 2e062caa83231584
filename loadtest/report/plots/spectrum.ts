import { percent } from '../../../lib/units.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { type Spectrum, slices } from '../../spectrum/spectrum.ts'
import { html } from '../html.ts'
import { sliceColors } from '../palette.ts'
import { type Line, type Mark, nameOf, type Plot, renderLines, scaleTo } from '../plot.ts'

type Split = RowResult & { readonly spectrum: Spectrum }

export const splitRows = ({ steps }: Pick<Results, 'steps'>): Split[] =>
  steps.filter((row): row is Split => Boolean(row.spectrum))

const RULE =
  'The time of each function counts for the nearest function on its stack that belongs to a concern. Slices in muted colours belong to no concern: the service itself, HTTP, the runtime, garbage collection, native code. A bar is as long as the cost that was measured without a profiler; its parts are those of a sample of its own that ran with one, because a profiler costs time, too. The dashed part is time that was used, and that the profiler did not see.'

export function spectrumPlot(results: Pick<Results, 'steps'>): Plot | null {
  const rows = splitRows(results)
  if (rows.length === 0) return null
  return {
    id: 'spectrum',
    title: 'How the main thread spends its time',
    summary: `${rows.map(row => `${nameOf(row)}: ${describe(row)}`).join('; ')}.`,
    howToRead: `CPU microseconds of the main thread per response, split by concern. ${RULE}`,
    image: html`${LEGEND}${renderLines(rows.map(lineOf), scaleTo(rows.map(endOf), 'µs'))}`,
  }
}

/** What a response costs; with the profiler where nothing was measured without it. */
const microsOf = ({ mainThreadMicros, spectrum }: Split) => mainThreadMicros.median ?? spectrum.cpuMicros

const costOf = (row: Split) => `${microsOf(row).toFixed(0)} µs`

/** The cost of a row, and the slice that is most of it. */
function describe(row: Split): string {
  const { shares } = row.spectrum
  const largest = slices.reduce((most, slice) => (shares[slice] > shares[most] ? slice : most))
  return `${costOf(row)}, most of it ${largest}, ${percent(shares[largest])}`
}

const LEGEND = html`<div class="legend">${slices.map(
  slice => html`<span><i style="--own:${sliceColors[slice].fill}"></i>${slice}</span> `,
)}</div>`

/** Shares that add up to more than all of the cost make the bar longer. */
const endOf = (row: Split): number => Math.max(...marksOf(row).map(({ at }) => (at as [number, number])[1]))

/** A name needs about this share of the width for each letter. */
const LETTER_SHARE = 0.013

function lineOf(row: Split, _index: number, rows: readonly Split[]): Line {
  const widest = Math.max(...rows.map(endOf))
  const fits = ({ at, text }: Mark) => {
    const [from, to] = at as [number, number]
    return (to - from) / widest > (text?.words.length ?? 0) * LETTER_SHARE
  }
  const marks = marksOf(row).map(({ text, ...mark }) =>
    text && fits({ ...mark, text }) ? { ...mark, text } : mark,
  )
  return { name: nameOf(row), label: costOf(row), marks }
}

/** The slices of a row one after the other, and last the time that the profiler did not see. */
function marksOf(row: Split): Mark[] {
  const { spectrum } = row
  let from = 0
  const next = (share: number): [number, number] => {
    const ends: [number, number] = [from, from + Math.max(0, share) * microsOf(row)]
    from = ends[1]
    return ends
  }
  const parts = slices.map((slice): Mark => {
    const { fill, ink } = sliceColors[slice]
    const text = { words: slice, color: ink }
    return { kind: 'slice', at: next(spectrum.shares[slice]), color: fill, text }
  })
  return [...parts, { kind: 'unseen', at: next(spectrum.unattributed) }]
}
