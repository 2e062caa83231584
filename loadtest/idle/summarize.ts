import type { Row } from '../sample/rows.ts'
import { describeMedian } from '../statistics/median.ts'
import type { IdleProcess, IdleRow, IdleSample } from './results.ts'
import type { ProcessUse, Use } from './threads.ts'

/** The name of the sum of all processes of a stack. */
const ALL = 'all'

export const summarizeIdle = (
  { number, name, composition }: Row,
  samples: readonly IdleSample[],
): IdleRow => ({
  number,
  name,
  composition,
  processes: [...Object.keys(samples[0]?.processes ?? {}), ALL].map(process =>
    describeProcess(process, samples),
  ),
  samples,
})

function describeProcess(name: string, samples: readonly IdleSample[]): IdleProcess {
  const uses = samples.flatMap(({ processes }) => (name === ALL ? sum(processes) : (processes[name] ?? [])))
  const describe = (which: keyof ProcessUse) => {
    const median = (of: keyof Use) => describeMedian(uses.map(use => use[which][of]))
    return { cpuMs: median('cpuMs'), wakeups: median('wakeups') }
  }
  return { name, mainThread: describe('mainThread'), allThreads: describe('allThreads') }
}

function sum(processes: IdleSample['processes']): ProcessUse {
  const total = (which: keyof ProcessUse, of: keyof Use) =>
    Object.values(processes).reduce((so, process) => so + process[which][of], 0)
  const use = (which: keyof ProcessUse): Use => ({
    cpuMs: total(which, 'cpuMs'),
    wakeups: total(which, 'wakeups'),
  })
  return { mainThread: use('mainThread'), allThreads: use('allThreads') }
}
