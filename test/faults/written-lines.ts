import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads all lines delivered to the file target, from rotated files first. */
export function logFiles(directory: string): string[] {
  const order = (name: string) => Number(name.split('.')[2] ?? Number.POSITIVE_INFINITY)
  const names = readdirSync(directory).filter(name => name.startsWith('app.log'))
  return names.sort((a, b) => order(a) - order(b)).map(name => join(directory, name))
}

/** All delivered lines as one text, which is possible only for a short run. */
export const readAll = (directory: string): string =>
  logFiles(directory)
    .map(file => readFileSync(file, 'utf8'))
    .join('')

/** The numbers of the delivered lines, in the order of delivery. */
export const deliveredNumbers = (directory: string): number[] => readNumbers(readAll(directory))

export const readNumbers = (lines: string): number[] =>
  Array.from(lines.matchAll(/"sequence":(\d+)/g), ([, number]) => Number(number))

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** The size of all segments that have not been delivered. */
export function segmentBytes(directory: string): number {
  const files = readdirSync(join(directory, 'segments'), { recursive: true, withFileTypes: true })
  const segments = files.filter(({ name }) => name.endsWith('.ndjson'))
  return segments.reduce(
    (total, { parentPath, name }) => total + readFileSync(join(parentPath, name)).length,
    0,
  )
}
