import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKPOINT_FILE } from '../../logger-transport/checkpoint-file.ts'
import { QUARANTINE, segmentName, segmentNumber, WRITER_FILE } from '../../logger-transport/protocol.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { plantForeign, plantForeignWriters, UNREADABLE } from './foreign-writers.ts'
import { LINES_PER_REQUEST, readMetric, residentMiB, startLoaded } from './loaded-stack.ts'
import { deliveredNumbers, upTo, writersIn } from './written-lines.ts'

/** The limit of logger-transport's container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160
/** Reads of a file with this mode fail as on a bad sector (`bad-sectors.c`). */
const BAD_SECTOR = 0o1600

const spoil = (file: string) => chmodSync(file, BAD_SECTOR)
const hasCompiler = () => process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Faults that put files in the log directory that logger-transport cannot read, or that no writer would make. */
export const fileFaults: readonly Fault[] = [
  {
    name: 'bad sectors below a checkpoint, a segment and a writer file',
    seconds: 10,
    needs: () =>
      hasCompiler() ? undefined : 'reads are made to fail by a library, which needs Linux and cc',
    async run(directory) {
      const library = join(directory, 'bad-sectors.so')
      const source = join(import.meta.dirname, 'bad-sectors.c')
      execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
      const { logDir } = logPlaces(directory)
      mkdirSync(logDir)
      writeFileSync(join(logDir, CHECKPOINT_FILE), '{}')
      spoil(join(logDir, CHECKPOINT_FILE))
      process.env.LD_PRELOAD = library
      const { finish } = await startLoaded(directory, { clients: 1 })
      delete process.env.LD_PRELOAD
      const files = [segmentName(1), WRITER_FILE]
      for (const file of files) plantForeign(logDir, `foreign-${file}`, writer => spoil(join(writer, file)))
      const setAside = () => readdirSync(join(logDir, QUARANTINE)).length
      await until(() => setAside() > files.length && !hasForeign(logDir))
      // Lines of others are delivered, too.
      const { good, says } = await finish({ isOpen: true })
      // One of the four lines was in the bad segment.
      assert.equal(checkOwnLines(directory, good), 3, 'lines of the writers with bad sectors')
      return `${setAside()} files set aside, the 3 lines beside them delivered; ${says}`
    },
  },
  {
    name: 'foreign files in place of segments and writer files',
    seconds: 20,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      const { stack, finish } = await startLoaded(directory, { clients: 1 })
      const writers = plantForeignWriters(logDir)
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
      assert.ok(foreign >= writers, `${foreign} lines of foreign writers`)
      assert.ok(mostMiB < MEMORY_LIMIT_MIB, `logger-transport had ${mostMiB.toFixed(0)} MiB`)
      return `${UNREADABLE} of ${writers} files set aside, ${foreign} good lines beside them delivered; ${mostMiB.toFixed(0)} MiB at most; ${says}`
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
