import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCS = join(import.meta.dirname, '../../../docs')
export const TOUR = join(DOCS, 'results/tour.ndjson')
/** The picture of the stage: each step of the published tour, one after the other. */
export const PICTURE = join(DOCS, 'pictures/stage.svg')

/** A browser draws letters in another way on each machine, so the picture names the recording that it shows. */
const nameTour = () =>
  `data-recording="${createHash('sha256').update(readFileSync(TOUR)).digest('hex').slice(0, 12)}"`

/** @returns SVG @throws UserError when there is no chromium */
export async function drawPicture(): Promise<string> {
  const { drawTour } = await import('./tour.ts')
  return (await drawTour(TOUR)).replace('<svg ', `<svg ${nameTour()} `)
}

export const readPicture = (): string => (existsSync(PICTURE) ? readFileSync(PICTURE, 'utf8') : '')

/** Whether a picture shows the published tour. */
export const isOfTour = (picture: string): boolean => picture.includes(nameTour())
