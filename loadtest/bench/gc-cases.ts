import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The phases of V8's garbage collection, each with the fields of --trace-gc-nvp that are its time on the main thread. */
export const phases = {
  mark: ['mark', 'incremental'],
  evacuate: ['evacuate'],
  scavenge: ['scavenge'],
} as const
export type Phase = keyof typeof phases
export const phaseNames = Object.keys(phases) as Phase[]

/** Flags of a process whose garbage V8 collects on helper threads too, and of one where the main thread does it alone. */
const collectors = { shared: [], alone: ['--single-threaded-gc'] } as const
type Collector = keyof typeof collectors

export const caseOf = (phase: Phase, collector: Collector) => `${phase}, ${collector}` as const
export type CaseName = ReturnType<typeof caseOf>
export const caseNames = phaseNames.flatMap(phase => [caseOf(phase, 'shared'), caseOf(phase, 'alone')])

/** Takes one sample in a fresh process. @returns milliseconds of the main thread in this phase, for 1000 documents */
export async function measureCase(name: CaseName, durationMs: number): Promise<number> {
  const [phase, collector] = name.split(', ') as [Phase, Collector]
  const flags = [...collectors[collector], '--trace-gc-nvp', join(import.meta.dirname, 'gc-load.ts')]
  const child = spawn(process.execPath, [...flags, String(durationMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { documents, spentMs } = readTrace(await text(child.stdout))
  return (spentMs[phase] / documents) * 1000
}

/**
 * Reads what gc-load.ts and --trace-gc-nvp of Node.js 26 print: a line of JSON for each collection, and one at the end.
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
