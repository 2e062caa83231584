import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Column, renderColumns } from '../../lib/cli/columns.ts'
import { monotonicMs } from '../../lib/units.ts'
import { formatRatio, middle } from '../outcome/format.ts'
import { describeMedian, median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'
import type { Cpu } from './rendering-service.ts'

/** Numbers of cards that make pages of about these sizes. */
const sizes = { '4 KB': 16, '31 KB': 133, '150 KB': 645 } as const
const ways = ['main', 'thread', 'shell'] as const
/** The metrics of a page, each with its title in the table. */
const metrics = {
  'main thread': 'main thread µs',
  total: 'total µs',
  'first byte': 'first byte µs',
  goodput: 'pages/s',
} as const
const CLIENTS = 8

type Size = keyof typeof sizes
type Way = (typeof ways)[number]
type Metric = keyof typeof metrics

const [sizeNames, metricNames] = [Object.keys(sizes) as Size[], Object.keys(metrics) as Metric[]]
const WARM_UP_MS = 150

let service: { readonly child: ChildProcess; readonly url: string }

async function start(): Promise<typeof service> {
  const child = fork(join(import.meta.dirname, 'rendering-service.ts'), {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [url] = await once(child, 'message')
  child.unref()
  child.channel?.unref()
  return { child, url }
}

async function readCpu(): Promise<Cpu> {
  const { child } = service
  // Between two questions, the service keeps this process not alive.
  child.channel?.ref()
  child.send('cpu')
  const [cpu] = await once(child, 'message')
  child.channel?.unref()
  return cpu
}

/** Asks for a page again and again. @returns the milliseconds to the first byte of each page, once all of it has come */
async function ask(url: string, agent: Agent, untilMs: number): Promise<number[]> {
  const firstMs: number[] = []
  while (monotonicMs() < untilMs) {
    const startedAtMs = monotonicMs()
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
    response.once('data', () => firstMs.push(monotonicMs() - startedAtMs))
    await once(response, 'end')
  }
  return firstMs
}

/** Takes CPU and goodput with all clients, and then the first byte with one. */
async function take(name: string, durationMs: number): Promise<Readonly<Record<string, number>>> {
  const [size, way] = name.split(', ') as [Size, Way]
  const agent = new Agent({ keepAlive: true })
  const url = `${service.url}/${way}/${sizes[size]}`
  const askFor = async (clients: number, ms: number) => {
    const untilMs = monotonicMs() + ms
    return (await Promise.all(Array.from({ length: clients }, () => ask(url, agent, untilMs)))).flat()
  }
  await askFor(CLIENTS, WARM_UP_MS)
  const before = await readCpu()
  const startedAtMs = monotonicMs()
  const { length: pages } = await askFor(CLIENTS, durationMs)
  const seconds = (monotonicMs() - startedAtMs) / 1000
  const after = await readCpu()
  const firstMs = median(await askFor(1, durationMs)) as number
  agent.destroy()
  return {
    ', main thread': (after.main - before.main) / pages,
    ', total': (after.total - before.total) / pages,
    ', first byte': firstMs * 1000,
    ', goodput': pages / seconds,
  }
}

/** A table of the sizes: what a thread costs, and a shell in a thread, as a ratio to the main thread. */
export function renderRendering(samples: Samples, render: typeof renderColumns): string {
  const valuesOf = (size: Size, way: Way, metric: Metric) => samples[`${size}, ${way}, ${metric}`] ?? []
  const columnsOf = (metric: Metric): Column<Size>[] => [
    {
      title: metrics[metric],
      cell: size => middle(describeMedian(valuesOf(size, 'main', metric)), 0, false),
    },
    ...(['thread', 'shell'] as const).map(way => ({
      title: `× in a ${way}`,
      cell: (size: Size) =>
        formatRatio(ratioOf(valuesOf(size, way, metric), valuesOf(size, 'main', metric)), 2),
    })),
  ]
  return render(sizeNames, [{ title: 'page', cell: size => size }, ...metricNames.flatMap(columnsOf)])
}

export const rendering: Bench = {
  name: 'rendering',
  description: `What a page of React costs that renderToPipeableStream makes on the main thread of a service of node:http, and the ratio of
one that @main-thread/render makes in a thread, or from a shell in a thread: CPU microseconds and pages a second with ${CLIENTS}
clients, and the median time to the first byte with one client.`,
  async prepare() {
    service = await start()
    return sizeNames.flatMap(size => ways.map(way => `${size}, ${way}`))
  },
  defaultDuration: '400ms',
  take,
  render: renderRendering,
}
