import type { Row } from '../../sample/rows.ts'
import { describeMedian } from '../../statistics/median.ts'
import type { IdleProcess, IdleRow, IdleSample } from './results.ts'
import { forEachAmount, type ProcessUse } from './threads.ts'

/** The name of the sum of all processes of a stack. */
const ALL = 'all'

export const summarizeIdle = (
  { number, name, composition, node }: Row,
  samples: readonly IdleSample[],
): IdleRow => ({
  number,
  name,
  composition,
  ...(node && { node }),
  processes: describeProcesses(samples.filter(({ valid }) => valid)),
  samples,
})

const describeProcesses = (samples: readonly IdleSample[]): IdleProcess[] =>
  [...Object.keys(samples[0]?.processes ?? {}), ALL].map(process => describeProcess(process, samples))

function describeProcess(name: string, samples: readonly IdleSample[]): IdleProcess {
  const uses = samples.flatMap(({ processes }) => (name === ALL ? sum(processes) : (processes[name] ?? [])))
  const medians = forEachAmount((which, of) => describeMedian(uses.map(use => use[which][of])))
  return { name, ...medians }
}

const sum = (processes: IdleSample['processes']): ProcessUse =>
  forEachAmount((which, of) =>
    Object.values(processes).reduce((total, process) => total + process[which][of], 0),
  )
