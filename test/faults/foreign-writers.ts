import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'
import { plantWriter } from './written-lines.ts'

const MIB = 2 ** 20
const LINE = '{"level":"info","sequence":0,"message":"of a foreign writer"}\n'

const directory = (path: string) => mkdirSync(path)
const fifo = (path: string) => execFileSync('mkfifo', [path])
const content = (text: string) => (path: string) => writeFileSync(path, text)

/** What a bad disk, a user or another program may leave in the directory of a writer, in place of a file. */
const spoilers: readonly [what: string, file: string, make: (path: string) => void][] = [
  ['directory', segmentName(1), directory],
  ['fifo', segmentName(1), fifo],
  ['device', segmentName(1), path => symlinkSync('/dev/zero', path)],
  ['newlines', segmentName(1), content('\n'.repeat(60 * MIB))],
  ['one-line', segmentName(1), content('x'.repeat(100 * MIB))],
  ['short-lines', segmentName(1), content('{}\n'.repeat(MIB / 8))],
  ['large', WRITER_FILE, content(' '.repeat(50 * MIB))],
  ['half', WRITER_FILE, content('{"resource":')],
  ['fifo', WRITER_FILE, fifo],
  ['fifo', CLOSED_FILE, fifo],
  ['directory', CLOSED_FILE, directory],
]

/** The spoiled files that cannot be read. The others are only unusual. */
export const UNREADABLE = 6

/**
 * Makes a writer that has ended for each kind of damage. Each has a second segment with one good line.
 * @returns the number of writers
 */
export function plantForeignWriters(logDirectory: string): number {
  for (const [what, file, make] of spoilers)
    plantForeign(logDirectory, `foreign-${what}-${file}`, writer => {
      rmSync(join(writer, file))
      make(join(writer, file))
    })
  return spoilers.length
}

/** Makes a writer that has ended, with two segments of one line each. */
export const plantForeign = (logDirectory: string, name: string, damage: (writer: string) => void): void =>
  plantWriter(logDirectory, name, [LINE, LINE], damage)
