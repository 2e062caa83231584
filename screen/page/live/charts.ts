import type { Update } from '../../live-messages.ts'
import { make } from '../dom.ts'
import { type Chart, createChart } from './chart.ts'
import { colored } from './color.ts'
import { createPlace } from './large-figures.ts'
import type { Line } from './line.ts'

interface NamedChart {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly lines: readonly Line[]
  /** Whether the title is followed by the place where latency is measured. */
  readonly hasPlace?: boolean
}

const charts: readonly NamedChart[] = [
  {
    id: 'throughput',
    title: 'Throughput',
    unit: '/s',
    lines: [
      {
        color: 'goodput',
        key: 'good',
        label: 'Good answers a second',
        read: ({ goodput }) => goodput,
        fill: true,
      },
      { color: 'bad', key: 'bad', label: 'Bad answers a second', read: ({ bad }) => bad, fill: true },
    ],
  },
  {
    id: 'latency',
    title: 'Latency',
    unit: 'ms',
    lines: [
      latencyLine('p50', 'client'),
      latencyLine('p99', 'client'),
      latencyLine('p50', 'server'),
      latencyLine('p99', 'server'),
    ],
    hasPlace: true,
  },
  {
    id: 'cost-chart',
    title: 'Main-thread cost a request',
    unit: 'µs',
    lines: [
      {
        color: 'main',
        label: 'Main-thread microseconds per request',
        read: ({ costMicros }) => costMicros,
        fill: true,
      },
    ],
  },
  {
    id: 'delay',
    title: 'Turn of the event loop, p99',
    unit: 'ms',
    lines: [{ color: 'p99', label: 'p99 in milliseconds', read: ({ delayMs }) => delayMs?.p99 }],
  },
]

/** One line per percentile and place: latencies of clients and of the server are never joined. */
function latencyLine(percentile: 'p50' | 'p99', place: Update['latencyAt']) {
  return {
    color: percentile,
    key: percentile,
    label: `${percentile} ${place === 'client' ? 'at the client' : 'in the server'}, in milliseconds`,
    read: ({ latencyAt, latencyMs }: Update) => (latencyAt === place ? latencyMs?.[percentile] : null),
    isDashed: place === 'server',
  }
}

/** Adds the charts to a section of the page. */
export const createCharts = (section: HTMLElement): readonly Chart[] =>
  charts.map(chart => {
    const figure = section.appendChild(make('figure', '', captionOf(chart)))
    figure.id = chart.id
    return createChart(figure, { lines: chart.lines, hasAxes: true })
  })

function captionOf({ title, unit, lines, hasPlace }: NamedChart): HTMLElement {
  const keys = new Map(lines.flatMap(line => (line.key ? [[line.key, line] as const] : [])))
  return make(
    'figcaption',
    '',
    title,
    ...(hasPlace ? [createPlace()] : []),
    `, ${unit}`,
    ...[...keys].flatMap(([text, line]) => [' ', colored('key', line, text)]),
  )
}
