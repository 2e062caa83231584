import { join } from 'node:path'
import { drawPlot } from './plot.ts'
import { drawTour } from './tour.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
export const PICTURES = join(DOCS, 'pictures')
export const TOUR = join(DOCS, 'results/tour.ndjson')

/** The plots of published runs: the beginning of the name of each picture, the run, and the plot of its report. */
const plots = [
  ['gains', 'ladder.json', 'gains-mainThreadMicros'],
  ['spectrum', 'ladder.json', 'spectrum'],
] as const

/** The pictures of the README by the names of their files, each with the function that draws it as SVG. */
export const pictures: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(
    plots.flatMap(([name, run, plot]) => [
      [`${name}.svg`, () => drawPlot(join(DOCS, 'results', run), plot, 'light')],
      [`${name}-dark.svg`, () => drawPlot(join(DOCS, 'results', run), plot, 'dark')],
    ]),
  ),
  'stage.svg': () => drawTour(TOUR),
}
