import { axisX, barX, dot, type Markish, ruleY, text, tickX } from '@observablehq/plot'
import type { Interval } from '../statistics/median.ts'
import { draw, type Frame, roundTicks, rowScale, widthOf } from './plot.ts'

/** A value with its uncertainty. */
export interface Bar {
  readonly name: string
  /** Null when there is no value. */
  readonly value: number | null
  readonly ci95: Interval | null
  /** Values of the single samples. */
  readonly spread: readonly number[]
  readonly label: string
}

type Named = Pick<Bar, 'name' | 'label'>

/** Height of a row with its marks, in heights of text. */
const MARKS = { wide: 2.3, narrow: 1.8 }
const LINE_HEIGHT = 1.2
/** Ratio of the width of bold letters to that of others. */
const BOLD = 1.12
/** Largest share of the width that names beside a plot may take. */
const MOST_NAME = 0.4

/** The layout of every plot with a line for each row: the places of names and labels, and the room that they take. */
export function layoutRows(frame: Frame, rows: readonly Named[], legendPx = 0) {
  const { isNarrow, textPx, widthPx } = frame
  const heading = isNarrow ? layoutHeading(frame, rows) : { separator: '', heightPx: 0 }
  const marginBottom = textPx * 3.2
  const marginTop = legendPx + textPx * 0.5
  const rowPx = frame.heightPx
    ? (frame.heightPx - marginTop - marginBottom) / rows.length
    : textPx * (isNarrow ? MARKS.narrow : MARKS.wide) + heading.heightPx
  const names = rows.map(({ name }) => shorten(name, textPx, widthPx * MOST_NAME))
  const marginLeft = isNarrow ? 4 : Math.max(...names.map(name => widthOf(name, textPx))) + textPx
  // Half of the label of the last tick may stand beyond the end of the axis.
  const marginRight = textPx * 2
  const inset = rowPx * 0.14
  // On a narrow screen a row's name and label stand above its marks.
  const headings = isNarrow ? [drawHeadings(frame, rows, rowPx, heading.separator)] : []
  const labelPx = Math.max(...rows.map(({ label }) => widthOf(label, textPx)))
  return {
    /** The margin on the right of a plot with labels in a column there, and these labels. */
    columnPx: isNarrow ? marginRight : labelPx + 2 * textPx,
    drawColumn: (fill: string): Markish[] => (isNarrow ? headings : [drawColumn(frame, rows, fill)]),
    plotPx: widthPx - marginLeft - marginRight,
    /** Insets of the marks within their row. */
    insets: { insetTop: heading.heightPx + (isNarrow ? 0 : inset), insetBottom: inset },
    /** Height of the name above the marks of a row; 0 when it is beside them. */
    headingPx: heading.heightPx,
    /** Draws a line across the marks of all rows at each value. It does not run through the names above the marks. */
    linesAt: (values: readonly number[], stroke: { stroke: string; strokeWidth?: number }): Markish =>
      tickX(
        rows.flatMap((_, row) => values.map(value => ({ value, row }))),
        { x: 'value', y: 'row', insetTop: heading.heightPx, ...stroke },
      ),
    /** Distance from the middle of a row to the middle of its marks. */
    dy: isNarrow ? (heading.heightPx - inset) / 2 : 0,
    headings,
    options: {
      marginLeft,
      marginRight,
      marginTop,
      marginBottom,
      height: frame.heightPx ?? rowPx * rows.length + marginTop + marginBottom,
      y: { ...rowScale(names), axis: isNarrow ? null : ('left' as const), padding: 0 },
    },
  }
}

type Layout = ReturnType<typeof layoutRows>

/** Places name and label of a row in one line, or in two when they do not fit into one. */
function layoutHeading({ textPx, widthPx }: Frame, rows: readonly Named[]) {
  const fits = rows.every(({ name, label }) => widthOf(`${name} · ${label}`, textPx) * BOLD < widthPx)
  return {
    separator: fits ? ' · ' : '\n',
    heightPx: textPx * (0.3 + LINE_HEIGHT * (fits ? 1 : 2)),
  }
}

const drawHeadings = ({ textPx, widthPx }: Frame, rows: readonly Named[], rowPx: number, separator: string) =>
  text(rows, {
    y: (_, index) => index,
    text: ({ name, label }) => `${shorten(name, textPx * BOLD, widthPx)}${separator}${label}`,
    frameAnchor: 'left',
    lineAnchor: 'top',
    lineHeight: LINE_HEIGHT,
    dy: -rowPx / 2 + textPx * 0.3,
    fontWeight: 600,
    fill: 'var(--text)',
    stroke: 'var(--ground)',
    strokeWidth: textPx / 3,
  })

/** Labels in a column on the right. @param fill a colour, or the field of a row that has its colour */
const drawColumn = ({ textPx }: Frame, rows: readonly Named[], fill: string) =>
  text(rows, {
    y: (_, index) => index,
    text: 'label',
    frameAnchor: 'right',
    textAnchor: 'start',
    dx: textPx,
    fill,
    fontWeight: 600,
  })

function shorten(name: string, textPx: number, mostPx: number): string {
  if (widthOf(name, textPx) <= mostPx) return name
  const share = mostPx / widthOf(name, textPx)
  return `${name.slice(0, Math.floor(name.length * share) - 1)}…`
}

/**
 * An axis with ticks from zero up to the largest value, a grid and a label. There is no grid behind labels beyond
 * that value.
 */
export function valueAxis(frame: Frame, { linesAt }: Layout, label: string, max: number): Markish[] {
  const ticks = roundTicks(max, frame.isNarrow ? 3 : 6)
  return [
    linesAt(ticks, { stroke: 'var(--line)' }),
    axisX(ticks, {
      label,
      labelAnchor: 'right',
      labelArrow: false,
      labelOffset: frame.textPx * 2.7,
      tickSize: 0,
      color: 'var(--quiet)',
    }),
  ]
}

/** The end of a bar, with the label behind it. */
interface End {
  readonly label: string
  readonly row: number
  readonly end: number
}

/** @returns the end, with the value that the axis must reach so that the label has room behind the bar */
export function placeEnd({ isNarrow, textPx }: Frame, plotPx: number, { label, row, end }: End) {
  const labelPx = isNarrow ? 0 : widthOf(label, textPx) + textPx
  return { label, row, end, needed: (end * plotPx) / (plotPx - labelPx) }
}

/** Labels behind the bars. */
export const endLabels = ({ textPx }: Frame, ends: readonly End[]): Markish =>
  text(ends, {
    y: 'row',
    x: 'end',
    text: 'label',
    textAnchor: 'start',
    dx: textPx * 0.5,
    fontWeight: 600,
  })

/**
 * Draws medians as bars from zero, samples as dots, and intervals as lines.
 * @returns SVG
 */
export function drawBars(frame: Frame, bars: readonly Bar[], axisLabel: string): string {
  const layout = layoutRows(frame, bars)
  const { options, headings, insets, dy, plotPx, linesAt } = layout
  const known = bars.flatMap((bar, row) => (bar.value === null ? [] : [{ ...bar, value: bar.value, row }]))
  const ends = known.map(({ value, ci95, spread, label, row }) =>
    placeEnd(frame, plotPx, { label, row, end: Math.max(value, ci95?.[1] ?? 0, ...spread) }),
  )
  const dots = known.flatMap(({ spread, row }) => spread.map(value => ({ value, row })))
  const intervals = known.flatMap(({ ci95, row }) => (ci95 ? [{ low: ci95[0], high: ci95[1], row }] : []))
  const without = bars.flatMap((bar, row) => (bar.value === null ? [{ label: bar.label, row }] : []))
  return draw(frame, {
    ...options,
    x: { domain: [0, Math.max(...ends.map(({ needed }) => needed), Number.MIN_VALUE)] },
    marks: [
      ...valueAxis(frame, layout, axisLabel, Math.max(1, ...ends.map(({ end }) => end))),
      barX(known, { y: 'row', x: 'value', fill: 'var(--mark)', fillOpacity: 0.45, ...insets }),
      dot(dots, { y: 'row', x: 'value', r: frame.textPx / 7, fill: 'var(--text)', fillOpacity: 0.45, dy }),
      ruleY(intervals, {
        x1: 'low',
        x2: 'high',
        y: 'row',
        stroke: 'var(--text)',
        strokeWidth: frame.textPx / 5,
        dy,
      }),
      linesAt([0], { stroke: 'var(--text)', strokeWidth: 2 }),
      ...(frame.isNarrow
        ? headings
        : [
            endLabels(frame, ends),
            text(without, { y: 'row', text: 'label', frameAnchor: 'left', dx: 8, fill: 'var(--quiet)' }),
          ]),
    ],
  })
}
