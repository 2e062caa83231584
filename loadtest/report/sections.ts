import { checkCeiling } from '../commands/ceiling.ts'
import { describeCores } from '../commands/cores-remarks.ts'
import type { Results } from '../outcome/results.ts'
import type { Figure } from './figure.ts'
import { coresFigure } from './figures/cores.ts'
import { gainsFigure } from './figures/gains.ts'
import { latencyFigure } from './figures/latency.ts'
import { loadCurveFigure } from './figures/load-curve.ts'
import { prismFigure } from './figures/prism.ts'
import { spectrumFigure } from './figures/spectrum.ts'
import { valueFigure } from './figures/values.ts'

type MakeFigure = (results: Results) => Figure | null

interface Part {
  readonly title: string
  readonly introduction: string
  readonly figures: readonly MakeFigure[]
  /** What else the results say, a sentence each. */
  readonly remarks?: (results: Results) => readonly string[]
}

const mainThread: MakeFigure = results => valueFigure('mainThread', results)
const ceiling: MakeFigure = results => valueFigure('ceiling', results)
const goodput: MakeFigure = results => valueFigure('goodput', results)

const pauses: MakeFigure = results => valueFigure('pauses', results)
const memory: MakeFigure = results => valueFigure('memory', results)
const spectrum: MakeFigure = results => spectrumFigure('micros', results)
const shares: MakeFigure = results => spectrumFigure('shares', results)

const versusFirst: readonly MakeFigure[] = [
  results =>
    gainsFigure(results, 'versusFirst', 'mainThreadMicros', 'Main-thread cost, against the first row'),
  results => gainsFigure(results, 'versusFirst', 'goodput', 'Goodput, against the first row'),
]

const ladder: Part = {
  title: 'The ladder',
  introduction: 'Each step moves one concern off the main thread, or makes it cheaper. What did that buy?',
  figures: [
    prismFigure,
    spectrum,
    shares,
    mainThread,
    results =>
      gainsFigure(results, 'versusPrevious', 'mainThreadMicros', 'Main-thread cost, against the row above'),
    ceiling,
    goodput,
    results => gainsFigure(results, 'versusPrevious', 'goodput', 'Goodput, against the row above'),
    latencyFigure,
  ],
}

/** The same of rows that are no steps. */
const comparison: Part = {
  ...ladder,
  title: 'Side by side',
  introduction: 'Each row does the same work in another way. What does it cost?',
}

/** What the report of each command shows, in this order. A figure that has nothing to show is left out. */
const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries({
    run: ladder,
    aa: {
      title: 'A row against itself',
      introduction: 'Both rows are the same: a difference would be a false one.',
      figures: [...versusFirst, mainThread, goodput, latencyFigure],
    },
    open: {
      title: 'Requests on a schedule',
      introduction: 'Requests are sent when it is their time, whatever becomes of those before.',
      figures: [loadCurveFigure, latencyFigure, mainThread, ...versusFirst],
      remarks: ({ steps }) => checkCeiling(steps),
    },
    isolation: {
      title: 'What one route suffers from another',
      introduction:
        '/hello is asked on a schedule, beside clients that keep the app busy with something else.',
      figures: [
        latencyFigure,
        results => gainsFigure(results, 'versusPrevious', 'p99Ms', 'p99, against the row above'),
      ],
    },
    ablation: {
      title: 'What each concern is worth',
      introduction:
        'The last step, then the last step with one concern at a time put back where the ladder began.',
      figures: [...versusFirst, mainThread, goodput, latencyFigure],
    },
    'equal-cores': {
      title: 'The same cores, used in several ways',
      introduction:
        'A monolith a core, one decomposed app whose threads share those cores, and both at once: that app once a core.',
      figures: [
        results => coresFigure(results, 1),
        results => coresFigure(results, 2),
        goodput,
        results => valueFigure('hello', results),
        results => valueFigure('total', results),
        results => valueFigure('shared', results),
        latencyFigure,
      ],
      remarks: describeCores,
    },
    gc: {
      title: 'Garbage collection',
      introduction: 'The same step with other settings of the garbage collector.',
      figures: [...versusFirst, mainThread, pauses, latencyFigure, memory],
    },
  }),
)

export function partOf({ settings, steps }: Results): Part {
  const part = parts.get(settings.command) ?? ladder
  return part === ladder && steps.some(({ number }) => number === null) ? comparison : part
}
