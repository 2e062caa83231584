import assert from 'node:assert/strict'
import { createReadStream, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'

/** The files of the file target, rotated ones first. */
function logFiles(directory: string): string[] {
  const order = (name: string) => Number(name.split('.')[2] ?? Number.POSITIVE_INFINITY)
  const names = readdirSync(directory).filter(name => name.startsWith('app.log'))
  return names.sort((a, b) => order(a) - order(b)).map(name => join(directory, name))
}

/** All delivered lines as one text, which is possible only for a short run. */
export const readAll = (directory: string): string =>
  logFiles(directory)
    .map(file => readFileSync(file, 'utf8'))
    .join('')

/** All delivered lines, one by one: those of ten minutes do not fit into one string. */
export async function* readLines(directory: string): AsyncGenerator<string> {
  for (const file of logFiles(directory)) yield* createInterface({ input: createReadStream(file) })
}

/** The numbers of the delivered lines, in the order of delivery. */
export const deliveredNumbers = (directory: string): number[] => readNumbers(readAll(directory))

export const readNumbers = (lines: string): number[] =>
  Array.from(lines.matchAll(/"sequence":(\d+)/g), ([, number]) => Number(number))

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Asserts that all lines from 1 on were delivered in order, none missing and none twice. */
export function checkInOrder(directory: string, emitted: number): void {
  const numbers = deliveredNumbers(directory)
  assert.deepEqual([new Set(numbers).size, numbers.length], [emitted, emitted], 'distinct, delivered')
  assert.deepEqual(numbers, upTo(emitted), 'lines are not in order')
}

/** Asserts that these are all numbers from 1 on, each once or more often. */
export const checkAll = (numbers: readonly number[], emitted: number): void =>
  assert.deepEqual(
    [...new Set(numbers)].sort((a, b) => a - b),
    upTo(emitted),
  )

/** The size of all segments that have not been delivered, in bytes. */
export function segmentBytes(directory: string): number {
  const files = readdirSync(join(directory, 'segments'), { recursive: true, withFileTypes: true })
  const segments = files.filter(({ name }) => name.endsWith('.ndjson'))
  return segments.reduce(
    (bytes, { parentPath, name }) => bytes + readFileSync(join(parentPath, name)).length,
    0,
  )
}

/** The writers that have lines which were not delivered yet. */
export const writersIn = (logDirectory: string): string[] =>
  readdirSync(logDirectory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)

/**
 * Makes a writer that has ended, with the contents of its segments. The transport sees it only once it is complete.
 * @param damage changes its directory before that
 */
export function plantWriter(
  logDirectory: string,
  name: string,
  segments: readonly string[],
  damage?: (writer: string) => void,
): void {
  const writer = join(logDirectory, '..', `new-${name}`)
  mkdirSync(writer, { recursive: true, mode: 0o700 })
  for (const [index, lines] of segments.entries()) writeFileSync(join(writer, segmentName(index + 1)), lines)
  writeFileSync(join(writer, CLOSED_FILE), String(segments.join('').split('\n').length - 1))
  writeFileSync(join(writer, WRITER_FILE), JSON.stringify({ resource: { instance: name } }))
  damage?.(writer)
  renameSync(writer, join(logDirectory, name))
}
