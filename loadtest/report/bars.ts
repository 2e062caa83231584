import { axisX, type Markish, text, tickX } from '@observablehq/plot'
import { TEXT_PX, WIDTH_PX, widthOf } from './plot.ts'

interface Named {
  readonly name: string
  readonly label: string
}

/** Height of a row with its marks. */
const ROW_PX = TEXT_PX * 2.3
/** Largest share of the width that names beside a plot may take. */
const MOST_NAME = 0.4

/** The layout of every plot with a line for each row: the places of names and labels, and the room that they take. */
export function layoutRows(rows: readonly Named[], legendPx = 0) {
  const marginBottom = TEXT_PX * 3.2
  const marginTop = legendPx + TEXT_PX * 0.5
  const names = rows.map(({ name }) => shorten(name))
  const marginLeft = Math.max(...names.map(name => widthOf(name))) + TEXT_PX
  // Half of the label of the last tick may stand beyond the end of the axis.
  const marginRight = TEXT_PX * 2
  const inset = ROW_PX * 0.14
  return {
    /** The margin on the right of a plot with labels in a column there. */
    columnPx: Math.max(...rows.map(({ label }) => widthOf(label))) + 2 * TEXT_PX,
    plotPx: WIDTH_PX - marginLeft - marginRight,
    /** Insets of the marks within their row. */
    insets: { insetTop: inset, insetBottom: inset },
    /** Draws a line across the marks of all rows at each value. */
    linesAt: (values: readonly number[], stroke: { stroke: string; strokeWidth?: number }): Markish =>
      tickX(
        rows.flatMap((_, row) => values.map(value => ({ value, row }))),
        { x: 'value', y: 'row', ...stroke },
      ),
    options: {
      marginLeft,
      marginRight,
      marginTop,
      marginBottom,
      height: ROW_PX * rows.length + marginTop + marginBottom,
      // Rows may have the same name: the scale uses their numbers, and shows their names.
      y: {
        type: 'band' as const,
        domain: names.map((_, index) => index),
        tickFormat: (index: number) => names[index] as string,
        label: null,
        tickSize: 0,
        axis: 'left' as const,
        padding: 0,
      },
    },
  }
}

type Layout = ReturnType<typeof layoutRows>

/** Labels in a column on the right. @param fill a colour, or the field of a row that has its colour */
export const labelColumn = (rows: readonly Named[], fill: string): Markish =>
  text(rows, {
    y: (_, index) => index,
    text: 'label',
    frameAnchor: 'right',
    textAnchor: 'start',
    dx: TEXT_PX,
    fill,
    fontWeight: 600,
  })

function shorten(name: string): string {
  const share = (WIDTH_PX * MOST_NAME) / widthOf(name)
  return share >= 1 ? name : `${name.slice(0, Math.floor(name.length * share) - 1)}…`
}

/**
 * An axis with ticks from zero up to the largest value, a grid and a label. There is no grid behind labels beyond
 * that value.
 */
export function valueAxis({ linesAt }: Layout, label: string, max: number): Markish[] {
  const ticks = roundTicks(max, 6)
  return [
    linesAt(ticks, { stroke: 'var(--line)' }),
    axisX(ticks, {
      label,
      labelAnchor: 'right',
      labelArrow: false,
      labelOffset: TEXT_PX * 2.7,
      tickSize: 0,
      color: 'var(--quiet)',
    }),
  ]
}

/** Round numbers from zero up to a value, about `count` of them. */
function roundTicks(max: number, count: number): number[] {
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) as number)
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) => index * step)
}

/** The end of a bar, with the label behind it. */
interface End {
  readonly label: string
  readonly row: number
  readonly end: number
}

/** The end of the axis at which the label of every bar has room behind it. */
export const roomFor = (ends: readonly End[], plotPx: number): number =>
  Math.max(...ends.map(({ end, label }) => (end * plotPx) / (plotPx - widthOf(label) - TEXT_PX)))

/** Labels behind the bars. */
export const endLabels = (ends: readonly End[]): Markish =>
  text(ends, {
    y: 'row',
    x: 'end',
    text: 'label',
    textAnchor: 'start',
    dx: TEXT_PX * 0.5,
    fontWeight: 600,
  })
