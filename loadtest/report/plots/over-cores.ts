import { talk } from '../../commands/cores/remarks.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/rows-at-loads.ts'
import { curvesPlot, type Point } from '../curves.ts'
import { type Plot, validSamples } from '../plot.ts'

/** A row with its number of cores and its goodput. */
interface Measured {
  readonly row: RowResult
  readonly name: string
  readonly cores: number
  readonly goodput: number
}

/** The goodput of every step on each number of cores. */
export function goodputOverCoresPlot({ steps }: Results): Plot | null {
  const measured = measuredOf(steps)
  const names = [...new Set(measured.map(({ name }) => name))]
  if (countsOf(measured).length < 2) return null
  return curvesPlot({
    id: 'goodput-over-cores',
    title: 'Goodput over cores',
    howToRead:
      'Each line is a step, the median of its samples, which are the small dots; both scales are logarithmic. A line becomes flat where its main thread has no time left: more cores then help only as more instances.',
    series: [...new Set([names.at(-1) as string, ...names])],
    points: measured.map(({ name, cores, goodput }) => ({ series: name, x: cores, y: goodput })),
    spread: measured.flatMap(({ row, name, cores }) =>
      validSamples(row).map((sample): Point => ({ series: name, x: cores, y: sample.goodput })),
    ),
    x: { label: 'cores', format: String },
    y: GOODPUT,
  })
}

const GOODPUT = { label: 'good responses a second', digits: 0 }
const THE_TALK = 'the talk, 2018'

/** The goodput of step after step on each number of cores, beside the figures of the talk. */
export function besideTheTalkPlot({ steps, settings }: Results): Plot | null {
  const measured = measuredOf(steps).filter(({ row }) => row.number !== null)
  const told = talk.map((goodput, number): Point => ({ series: THE_TALK, x: number, y: goodput }))
  if (settings.scenario !== 'demo' || new Set(measured.map(({ row }) => row.number)).size < 2) return null
  const series = countsOf(measured).map(count => `${count} cores`)
  return curvesPlot({
    id: 'beside-the-talk',
    title: 'Step by step, beside the talk',
    howToRead:
      'Each line is a number of cores, from the first step to the last. The talk had another machine and Node.js 8, so compare the shapes and not the heights; the vertical scale is logarithmic.',
    series: [series.at(-1) as string, THE_TALK, ...series.slice(0, -1)],
    points: [
      ...measured.map(({ row, cores, goodput }) => ({
        series: `${cores} cores`,
        x: row.number as number,
        y: goodput,
      })),
      ...told,
    ],
    spread: [],
    x: { label: 'step', format: String, scale: 'linear' },
    y: GOODPUT,
  })
}

const measuredOf = (steps: readonly RowResult[]): Measured[] =>
  steps.flatMap(row => {
    const { median } = row.goodput
    if (!row.cores || median === null) return []
    return [{ row, name: withoutLoad(row.name), cores: row.cores.count, goodput: median }]
  })

const countsOf = (measured: readonly Measured[]) => [...new Set(measured.map(({ cores }) => cores))]
