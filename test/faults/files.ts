import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKPOINT_FILE } from '../../logger-transport/checkpoint-file.ts'
import {
  CLOSED_FILE,
  QUARANTINE,
  segmentName,
  segmentNumber,
  WRITER_FILE,
} from '../../logger-transport/protocol.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { LINES_PER_REQUEST, readMetric, residentMiB, startLoaded } from './loaded-stack.ts'
import { deliveredNumbers, plantWriter, upTo, writersIn } from './written-lines.ts'

/** The limit of logger-transport's container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160

const MIB = 2 ** 20
const LINE = '{"level":"info","sequence":0,"message":"of a foreign writer"}\n'

const directory = (path: string) => mkdirSync(path)
const fifo = (path: string) => execFileSync('mkfifo', [path])
const content = (text: string) => (path: string) => writeFileSync(path, text)

/** Things that a bad disk, a user or another program may leave in place of a file in the directory of a writer. */
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
/** The spoiled files that cannot be read, with the checkpoint. The others are only unusual. */
const UNREADABLE = 7

/** Faults that put files in the log directory that logger-transport cannot read, or that no writer would make. */
export const fileFaults: readonly Fault[] = [
  {
    name: 'a checkpoint that cannot be read, and foreign files in place of segments and writer files',
    seconds: 20,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      mkdirSync(join(logDir, CHECKPOINT_FILE), { recursive: true })
      const { stack, finish } = await startLoaded(directory, { clients: 1 })
      for (const [what, file, make] of spoilers)
        plantWriter(logDir, `foreign-${what}-${file}`, [LINE, LINE], writer => {
          rmSync(join(writer, file))
          make(join(writer, file))
        })
      let mostMiB = 0
      await until(async () => {
        mostMiB = Math.max(mostMiB, await residentMiB(stack, 'logger-transport'))
        return !hasForeign(logDir)
      })
      const url = stack.address('logger-transport')
      assert.equal(await readMetric(url, 'logger_transport_files_quarantined_total'), UNREADABLE)
      assert.ok(readdirSync(join(logDir, QUARANTINE)).length >= UNREADABLE)
      const { good, says } = await finish({ isOpen: true })
      // Each second segment, and the first segments that were not replaced.
      const foreign = checkOwnLines(directory, good)
      assert.ok(foreign >= spoilers.length, `${foreign} lines of foreign writers`)
      assert.ok(mostMiB < MEMORY_LIMIT_MIB, `logger-transport had ${mostMiB.toFixed(0)} MiB`)
      return `${UNREADABLE} of ${spoilers.length + 1} files set aside, ${foreign} good lines beside them delivered; ${mostMiB.toFixed(0)} MiB at most; ${says}`
    },
  },
  {
    name: "the app's own files spoiled while it writes",
    seconds: 10,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      const { requests, finish } = await startLoaded(directory, { clients: 1 })
      const [writer = ''] = readdirSync(logDir).filter(name => !name.startsWith('checkpoint'))
      const readSegments = () => readdirSync(join(logDir, writer)).filter(name => name.endsWith('.ndjson'))
      await until(() => readSegments().length > 0)
      writeFileSync(join(logDir, writer, WRITER_FILE), 'x')
      const present = readSegments().at(-1) as string
      const next = segmentName((segmentNumber(present) as number) + 1)
      rmSync(join(logDir, writer, present))
      for (const segment of [present, next]) mkdirSync(join(logDir, writer, segment))
      const quarantine = join(logDir, QUARANTINE)
      await until(
        () =>
          writersIn(logDir).includes(QUARANTINE) &&
          readdirSync(quarantine).some(name => /ndjson$/.test(name)),
      )
      await requests.answered(20)
      return (await finish()).says
    },
  },
]

const hasForeign = (logDir: string) => readdirSync(logDir).some(name => name.startsWith('foreign-'))

/** Asserts that the app's own lines were delivered once and in order. @returns how many lines of others were delivered */
function checkOwnLines(directory: string, requests: number): number {
  const numbers = deliveredNumbers(directory)
  assert.deepEqual(
    numbers.filter(number => number > 0),
    upTo(requests * LINES_PER_REQUEST),
  )
  return numbers.filter(number => number === 0).length
}
