import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { renderColumns } from '../../lib/cli/columns.ts'
import { formatRatio, middle } from '../outcome/format.ts'
import { describeMedian } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'

/** The phases of V8's garbage collection, each with the fields of --trace-gc-nvp that are its time on the main thread. */
const phases = {
  mark: ['mark', 'incremental'],
  evacuate: ['evacuate'],
  scavenge: ['scavenge'],
} as const
type Phase = keyof typeof phases
const phaseNames = Object.keys(phases) as Phase[]

/** Flags of a process whose garbage V8 collects on helper threads too, and of one where the main thread does it alone. */
const collectors = { shared: [], alone: ['--single-threaded-gc'] } as const
type Collector = keyof typeof collectors

const caseOf = (phase: Phase, collector: Collector) => `${phase}, ${collector}` as const
export const caseNames = phaseNames.flatMap(phase => [caseOf(phase, 'shared'), caseOf(phase, 'alone')])

/** Takes one sample in a fresh process. @returns milliseconds of the main thread in this phase, for 1000 documents */
export async function measureCase(name: string, durationMs: number): Promise<number> {
  const [phase, collector] = name.split(', ') as [Phase, Collector]
  const flags = [...collectors[collector], '--trace-gc-nvp', join(import.meta.dirname, 'gc-load.ts')]
  const child = spawn(process.execPath, [...flags, String(durationMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { documents, spentMs } = readTrace(await text(child.stdout))
  return (spentMs[phase] / documents) * 1000
}

/**
 * A line of JSON for each collection, from --trace-gc-nvp of Node.js 26, and one of gc-load.ts at the end.
 * @throws Error when the end, or every collection, is missing
 */
export function readTrace(output: string) {
  const collections = [...output.matchAll(/ GC: (\{.*\})$/gm)].map(
    ([, json = '']) => JSON.parse(json) as Readonly<Record<string, number>>,
  )
  const documents = Number(/^documents (\d+)$/m.exec(output)?.[1])
  if (!documents || collections.length === 0)
    throw new Error(`a trace of garbage collections was expected, received: ${output.slice(-200)}`)
  const sum = (fields: readonly string[]) =>
    collections.reduce((total, each) => fields.reduce((ms, field) => ms + (each[field] ?? 0), total), 0)
  return {
    documents,
    spentMs: { mark: sum(phases.mark), evacuate: sum(phases.evacuate), scavenge: sum(phases.scavenge) },
  }
}

/** The ratios that the talk quotes for V8 (docs/talk.md). It has none for scavenges. */
const talk: Readonly<Partial<Record<Phase, string>>> = { mark: '0.7', evacuate: '0.3' }

export function renderGc(samples: Samples, render: typeof renderColumns): string {
  const rows = phaseNames.map(phase => {
    const [shared, alone] = [caseOf(phase, 'shared'), caseOf(phase, 'alone')].map(
      name => samples[name] as readonly number[],
    ) as [readonly number[], readonly number[]]
    return { phase, shared, alone }
  })
  const median = (values: readonly number[]) => middle(describeMedian(values), 2, false)
  return render(rows, [
    { title: 'phase', cell: ({ phase }) => phase },
    { title: 'ms, helper threads too', cell: ({ shared }) => median(shared) },
    { title: 'ms, main thread alone', cell: ({ alone }) => median(alone) },
    { title: '× alone', cell: ({ shared, alone }) => formatRatio(ratioOf(shared, alone), 2) },
    { title: 'the talk', cell: ({ phase }) => talk[phase] ?? '-' },
  ])
}

export const gc: Bench = {
  name: 'gc',
  description: `Milliseconds that the main thread spends in each phase of garbage collection for 1000 documents that it parses: where V8
has helper threads, and where it has none (--single-threaded-gc).`,
  prepare: async () => caseNames,
  defaultDuration: '3s',
  overheadMs: 200,
  take: measureCase,
  render: renderGc,
}
