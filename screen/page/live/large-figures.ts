import type { Update } from '../../live-messages.ts'
import { make } from '../dom.ts'
import { formatFigure, formatPercent } from '../scale.ts'

interface LargeFigure {
  /** Id of the element that shows the value. */
  readonly id: string
  readonly title: string
  readonly unit: string
  /** The value as text; a dash if there is none. */
  read(update: Update | undefined): string
  /** Whether the title is followed by the place where latency is measured. */
  readonly hasPlace?: boolean
}

/** The large figures at the top of the page, from left to right. */
const largeFigures: readonly LargeFigure[] = [
  { id: 'goodput', title: 'Goodput', unit: '/s', read: update => formatFigure(update?.goodput) },
  percentile('p50'),
  percentile('p99'),
  {
    id: 'busy',
    title: 'Main thread busy',
    unit: '%',
    read: update => (update ? formatPercent(update.busy) : '–'),
  },
  { id: 'cost', title: 'Main-thread cost', unit: 'µs', read: update => formatFigure(update?.costMicros) },
  { id: 'ceiling', title: 'Ceiling', unit: '/s', read: update => formatFigure(update?.ceiling) },
]

function percentile(name: 'p50' | 'p99'): LargeFigure {
  const read = (update: Update | undefined) => formatFigure(update?.latencyMs?.[name])
  return { id: name, title: name, unit: 'ms', read, hasPlace: true }
}

/** Adds the figures to a list. @returns a function that shows those of an update; older values would look current */
export function createLargeFigures(list: HTMLElement): (update: Update | undefined) => void {
  const values = largeFigures.map(figure => ({ figure, element: addTo(list, figure) }))
  return update => {
    for (const { figure, element } of values) element.textContent = figure.read(update)
  }
}

/** @returns the element for the value */
function addTo(list: HTMLElement, { id, title, unit, hasPlace }: LargeFigure): HTMLElement {
  const value = make('span', '', '–')
  value.id = id
  const term = make('dt', '', title, ...(hasPlace ? [createPlace(' latency')] : []))
  list.append(make('div', '', term, make('dd', '', value, make('small', '', unit))))
  return value
}

/** An element that names the place where latency is measured, once an update says it. */
export const createPlace = (text = ''): HTMLElement => make('span', 'seen-by', text)

export function showPlace({ latencyAt }: Update): void {
  for (const place of document.querySelectorAll('.seen-by'))
    place.textContent = latencyAt === 'client' ? ' at the client' : ' in the server'
}
