import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'

const MIB = 2 ** 20
const LINE = '{"level":"info","sequence":0,"message":"of a foreign writer"}\n'

/** What a bad disk, a user or another program may leave in the directory of a writer, in place of a file. */
const spoil: Readonly<Record<string, (writer: string) => void>> = {
  'segment-directory': writer => mkdirSync(replaced(writer, segmentName(1))),
  'segment-fifo': writer => void execFileSync('mkfifo', [replaced(writer, segmentName(1))]),
  'segment-device': writer => symlinkSync('/dev/zero', replaced(writer, segmentName(1))),
  'segment-newlines': writer => writeFileSync(join(writer, segmentName(1)), '\n'.repeat(60 * MIB)),
  'segment-one-line': writer => writeFileSync(join(writer, segmentName(1)), 'x'.repeat(100 * MIB)),
  'segment-short-lines': writer => writeFileSync(join(writer, segmentName(1)), '{}\n'.repeat(MIB / 8)),
  'writer-large': writer => writeFileSync(join(writer, WRITER_FILE), ' '.repeat(50 * MIB)),
  'writer-half': writer => writeFileSync(join(writer, WRITER_FILE), '{"resource":'),
  'writer-fifo': writer => void execFileSync('mkfifo', [replaced(writer, WRITER_FILE)]),
  'closed-fifo': writer => void execFileSync('mkfifo', [replaced(writer, CLOSED_FILE)]),
  'closed-directory': writer => mkdirSync(replaced(writer, CLOSED_FILE)),
}

/** The spoiled files that cannot be read. The others are only unusual. */
export const UNREADABLE = 6

/**
 * Makes a writer that has ended for each kind of damage. Each has a second segment with one good line.
 * @returns the number of writers
 */
export function plantForeignWriters(logDirectory: string): number {
  for (const [name, damage] of Object.entries(spoil)) plantWriter(logDirectory, name, damage)
  return Object.keys(spoil).length
}

/** Makes a writer that has ended, with two segments of one line each. The transport sees it only once it is complete. */
export function plantWriter(logDirectory: string, name: string, damage?: (writer: string) => void): void {
  const writer = join(logDirectory, '..', name)
  mkdirSync(writer, { mode: 0o700 })
  writeFileSync(join(writer, segmentName(1)), LINE)
  writeFileSync(join(writer, segmentName(2)), LINE)
  writeFileSync(join(writer, CLOSED_FILE), '2')
  writeFileSync(join(writer, WRITER_FILE), JSON.stringify({ resource: { instance: name } }))
  damage?.(writer)
  renameSync(writer, join(logDirectory, name))
}

function replaced(writer: string, name: string): string {
  rmSync(join(writer, name))
  return join(writer, name)
}
