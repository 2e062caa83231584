import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { CHECKPOINT_FILE } from '../../logger-transport/checkpoint-file.ts'
import {
  CLOSED_FILE,
  QUARANTINE,
  segmentName,
  segmentNumber,
  WRITER_FILE,
} from '../../logger-transport/protocol.ts'
import { logPlaces, memberOf, type Stack } from '../stack-parts.ts'
import { badSectors } from './bad-sectors.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { plantForeignWriters, UNREADABLE } from './foreign-writers.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, readAll, upTo } from './written-lines.ts'

/** The limit of logger-transport's container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160

/** Faults that put files in the log directory that logger-transport cannot read, or that no writer would make. */
export const fileFaults: readonly Fault[] = [
  badSectors,
  {
    name: 'foreign files in place of segments and writer files',
    seconds: 20,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack), 1)
      const writers = plantForeignWriters(logDir)
      let mostMiB = 0
      await until(async () => {
        const usage = await fetch(`${stack.address('logger-transport')}/usage`)
        const { residentBytes } = (await usage.json()) as ProcessUsage
        mostMiB = Math.max(mostMiB, bytesToMiB(residentBytes))
        return readdirSync(logDir).filter(name => /^(segment|writer|closed)-/.test(name)).length === 0
      })
      const { good, failed } = await requests.stop()
      assert.equal(memberOf(stack, 'logger-transport').restarts, 0)
      await checkSetAside(stack, logDir, UNREADABLE)
      await stack.stop()
      const numbers = deliveredNumbers(directory)
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.deepEqual(
        numbers.filter(number => number > 0),
        upTo(good * 10),
      )
      const foreign = numbers.filter(number => number === 0).length
      // Each second segment, and the first segments that were not replaced.
      assert.ok(foreign >= writers, `${foreign} lines of foreign writers`)
      assert.ok(mostMiB < MEMORY_LIMIT_MIB, `logger-transport had ${mostMiB.toFixed(0)} MiB`)
      return `${UNREADABLE} of ${writers} files set aside, ${foreign} good lines beside them delivered; ${mostMiB.toFixed(0)} MiB at most; ${good} requests, none failed, all their lines delivered`
    },
  },
  {
    name: "the app's own files spoiled while it writes",
    seconds: 10,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack), 1)
      const [writer = ''] = readdirSync(logDir).filter(name => !name.startsWith('checkpoint'))
      const readSegments = () => readdirSync(join(logDir, writer)).filter(name => name.endsWith('.ndjson'))
      await until(() => readSegments().length > 0)
      const segments = readSegments()
      writeFileSync(join(logDir, writer, WRITER_FILE), 'x')
      const present = join(logDir, writer, segments.at(-1) as string)
      const next = join(logDir, writer, segmentName((segmentNumber(segments.at(-1) as string) as number) + 1))
      rmSync(present)
      for (const segment of [present, next]) mkdirSync(segment)
      await until(() => existsWith(join(logDir, QUARANTINE), /ndjson$/))
      const before = requests.answers()
      await until(() => requests.answers() > before + 20)
      const { failed } = await requests.stop()
      assert.equal(memberOf(stack, 'logger-transport').restarts, 0)
      const { logLines } = await stack.stop()
      const { emitted = 0, delivered = 0, dropped = 0 } = logLines ?? {}
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.equal(emitted, delivered + dropped, 'the ledger is open')
      return `of ${emitted} lines ${delivered} delivered, ${dropped} lost with the removed file and counted; no request failed`
    },
  },
  {
    name: 'a checkpoint that is a directory, too large, or no JSON',
    seconds: 10,
    async run(directory) {
      const { logDir } = logPlaces(directory)
      const file = join(logDir, CHECKPOINT_FILE)
      const spoilers = [
        () => mkdirSync(file),
        () => writeFileSync(file, ' '.repeat(100 * 2 ** 20)),
        () => writeFileSync(file, '{"file":'),
      ]
      for (const [index, spoil] of spoilers.entries()) {
        const writer = join(logDir, `writer-${index}`)
        mkdirSync(writer, { recursive: true, mode: 0o700 })
        writeFileSync(join(writer, WRITER_FILE), '{"resource":{}}')
        writeFileSync(join(writer, segmentName(1)), `{"foreign":"writer-${index}"}\n`)
        writeFileSync(join(writer, CLOSED_FILE), '1')
        rmSync(file, { force: true })
        spoil()
        const stack = await startLoggingStack(directory)
        await until(() => readAll(directory).includes(`writer-${index}`))
        assert.equal((await fetch(logUrl(stack))).status, 200)
        await checkSetAside(stack, logDir, 1)
        await stack.stop()
      }
      assert.equal(readdirSync(join(logDir, QUARANTINE)).length, spoilers.length)
      return `${spoilers.length} set aside at a start, the lines delivered`
    },
  },
]

async function checkSetAside(stack: Stack, logDir: string, count: number): Promise<void> {
  const metrics = await (await fetch(`${stack.address('logger-transport')}/metrics`)).text()
  assert.match(metrics, new RegExp(`^logger_transport_files_quarantined_total ${count}$`, 'm'))
  assert.ok(readdirSync(join(logDir, QUARANTINE)).length >= count)
}

function existsWith(directory: string, pattern: RegExp): boolean {
  try {
    return readdirSync(directory).some(name => pattern.test(name))
  } catch {
    return false
  }
}
