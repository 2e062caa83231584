import type UPlot from 'uplot'
import { isForBrowser } from '../controls.ts'
import { find, make } from '../dom.ts'
import { formatFigure } from '../scale.ts'
import { formatAgo } from './axes.ts'
import { colored } from './color.ts'
import type { Line } from './line.ts'

/** The cursors of all charts move together. */
export const cursor: UPlot.Cursor = { y: false, drag: { x: false, y: false }, sync: { key: 'charts' } }

/**
 * Shows the values of a chart at its cursor, which follows the pointer in any chart, and the arrow keys while the chart
 * has the focus. Values that a key asked for are also announced to screen readers.
 * @param area the element of the chart
 */
export function addReadout(area: HTMLElement, chart: UPlot, lines: readonly Line[]): void {
  const box = area.appendChild(make('p', 'readout'))
  const hide = () => point(chart, 'mouseleave')
  box.hidden = true
  area.tabIndex = 0
  area.addEventListener('keydown', event => {
    if (isForBrowser(event)) return
    const time = timeFor(event.key, chart.data[0], chart.cursor.idx)
    if (time !== undefined) {
      event.preventDefault()
      point(chart, 'mousemove', chart.valToPos(time, 'x'))
      announce(tell(chart, lines))
    } else if (event.key === 'Escape') hide()
  })
  area.addEventListener('blur', hide)
  chart.hooks.setCursor = [() => showAtCursor(box, chart, lines)]
}

function showAtCursor(box: HTMLElement, chart: UPlot, lines: readonly Line[]): void {
  const { cursor, over, root } = chart
  const { left = 0 } = cursor
  const values = valuesAt(chart, lines)
  box.hidden = values.length === 0
  const isRight = left > over.clientWidth / 2
  const x = over.offsetLeft + left
  box.style.left = isRight ? '' : `${x + 8}px`
  box.style.right = isRight ? `${root.clientWidth - x + 8}px` : ''
  // The colours of threads are for areas: letters in them could not be read.
  box.replaceChildren(
    ...values.map(({ line, value }) =>
      line.key ? colored('', line, `${line.key} ${formatFigure(value)}`) : formatFigure(value),
    ),
  )
}

/** Moves the cursors of all charts as a pointer over this chart does. @param left pixels from the left edge */
function point({ over }: UPlot, type: 'mousemove' | 'mouseleave', left = 0): void {
  const box = over.getBoundingClientRect()
  over.dispatchEvent(new MouseEvent(type, { clientX: box.left + left, clientY: box.top + box.height / 2 }))
}

/** The values of the lines at the cursor; lines without a value are left out. */
const valuesAt = ({ data, cursor }: UPlot, lines: readonly Line[]) =>
  lines.flatMap((line, index) => {
    const value = data[index + 1]?.[cursor.idx ?? -1]
    return typeof value === 'number' ? [{ line, value }] : []
  })

/** The values at the cursor in words. */
function tell(chart: UPlot, lines: readonly Line[]): string {
  const agoSeconds = (chart.scales.x?.max ?? 0) - (chart.data[0][chart.cursor.idx ?? 0] as number)
  const told = valuesAt(chart, lines).map(({ line, value }) => `${line.label}: ${formatFigure(value)}`)
  return `${formatAgo(agoSeconds)} ago. ${told.length > 0 ? told.join('. ') : 'No values'}.`
}

function announce(text: string): void {
  find('#announcements').textContent = text
}

/** An arrow key moves the cursor by the time that an update covers: the values beside it are of other requests. */
const STEP_SECONDS = 2

/**
 * The time to which a key moves the cursor; undefined for other keys and in an empty chart.
 * @param times the times of the chart, ascending
 * @param index the place of the cursor in `times`; absent while there is no cursor, which then begins at the end
 */
function timeFor(key: string, times: ArrayLike<number>, index?: number | null): number | undefined {
  const [first, last] = [times[0], times[times.length - 1]]
  if (first === undefined || last === undefined) return undefined
  const present = times[index ?? -1]
  const within = (time: number) => Math.min(last, Math.max(first, time))
  if (key === 'Home') return first
  if (key === 'End') return last
  if (key === 'ArrowLeft') return present === undefined ? last : within(present - STEP_SECONDS)
  if (key === 'ArrowRight') return present === undefined ? last : within(present + STEP_SECONDS)
  return undefined
}
