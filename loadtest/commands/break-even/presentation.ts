import { type Presentation, remarks, table } from '../../declaration/presentation.ts'
import { formatRatio, middle } from '../../outcome/format.ts'
import type { Judged } from '../../outcome/noisy.ts'
import type { BreakEvenResults } from './results.ts'
import { cellColumns, groupByLength, startColumns } from './tables.ts'
import { describeCrossings } from './words.ts'

/** How a run of `break-even` is shown. */
export const breakEvenPresentation: Presentation<BreakEvenResults> = {
  heading: () => ({
    title: 'Should a task leave the main thread?',
    introduction:
      'How long a task must run before it pays to move it off the main thread, and what a thread and a process cost.',
  }),
  answer: ({ crossings }) =>
    describeCrossings(crossings)[0] ?? 'No length of a task was found to break even.',
  method: ({ settings: { task, rounds, windowMs, threads } }) =>
    `${task ? `the task is ${task}; ` : ''}${rounds} rounds, windows of ${windowMs} ms, ${describePool(threads)} a pool`,
  content: results => [
    ...(results.partial
      ? [remarks(['This run is partial: it was interrupted before its last round was complete.'])]
      : []),
    remarks(
      describeCrossings(results.crossings),
      'How long a task must run before it pays to move it off the main thread:',
    ),
    ...(results.settings.roundTripMs === undefined
      ? []
      : [remarks([describeWay(results.settings.roundTripMs)])]),
    table('A task of each length', groupByLength(results.cells), cellColumns(results.cells)),
    remarks([`Without any task, other messages wait ${middle(results.idle.neighbourP99Ms, 2)} ms (p99).`]),
    remarks([describeMessages(results)]),
    table('One additional thread, one additional process', results.starts, startColumns),
  ],
  plots: () => ['task-lengths'],
  samples: ({ cells, hops, starts, idle }) =>
    [...cells, ...hops, ...starts, idle].flatMap((measured): readonly Judged[] => measured.samples),
}

const describePool = (threads: number) =>
  threads === 1 ? '1 thread or process' : `${threads} threads or processes`

const describeWay = (roundTripMs: number) =>
  `With nats, tasks run in a worker in another process, whose CPU time counts; ${roundTripMs > 0 ? `a relay makes each round trip to it ${roundTripMs} ms longer` : 'the way to it is that of one machine'}.`

function describeMessages({ threadOverProcess: { messagesPerSecond } }: BreakEvenResults): string {
  return `A thread passes ${formatRatio(messagesPerSecond, 1)} times as many messages a second as a process; the talk says about 2.`
}
