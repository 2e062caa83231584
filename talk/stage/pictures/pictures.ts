import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { themes } from '../../../loadtest/report/palette.ts'
import { drawPlots } from './plot.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
export const PICTURES = join(DOCS, 'pictures')
export const TOUR = join(DOCS, 'results/tour.ndjson')

interface Picture {
  /** @returns SVG */
  draw(): string | Promise<string>
  /** Whether a picture shows the results that are published now. */
  isOf(picture: string): boolean
}

/** The plots of published runs: the beginning of the name of each picture, the run, and the plot of its report. */
const plots = [
  ['gains', 'ladder.json', 'gains-mainThreadMicros'],
  ['spectrum', 'ladder.json', 'spectrum'],
] as const

function plotOf(run: string, plot: string, theme: keyof typeof themes): Picture {
  const draw = () => drawPlots(join(DOCS, 'results', run))(plot, theme)
  return { draw, isOf: picture => picture === draw() }
}

/** A browser draws letters in another way on each machine, so the picture of the stage names the recording that it shows. */
const stage: Picture = {
  async draw() {
    const { drawTour } = await import('./tour.ts')
    return (await drawTour(TOUR)).replace('<svg ', `<svg ${nameTour()} `)
  },
  isOf: picture => picture.includes(nameTour()),
}

const nameTour = () =>
  `data-recording="${createHash('sha256').update(readFileSync(TOUR)).digest('hex').slice(0, 12)}"`

/** The pictures of the README by the names of their files. */
export const pictures: Readonly<Record<string, Picture>> = {
  ...Object.fromEntries(
    plots.flatMap(([name, run, plot]) => [
      [`${name}.svg`, plotOf(run, plot, 'light')],
      [`${name}-dark.svg`, plotOf(run, plot, 'dark')],
    ]),
  ),
  'stage.svg': stage,
}

const readPicture = (name: string): string =>
  existsSync(join(PICTURES, name)) ? readFileSync(join(PICTURES, name), 'utf8') : ''

/** The names of the pictures that do not show the published results, and of files that are none of the pictures. */
export const findOldPictures = (read = readPicture): string[] => [
  ...Object.entries(pictures).flatMap(([name, { isOf }]) => (isOf(read(name)) ? [] : [name])),
  ...readdirSync(PICTURES).filter(name => !(name in pictures)),
]
