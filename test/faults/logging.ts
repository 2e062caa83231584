import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { deadLetterFile } from '../../logger-transport/dead-letters.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { LINES_PER_REQUEST, residentMiB, startLoaded } from './loaded-stack.ts'
import { startDestination } from './logging-destination.ts'
import { logDiskFaults } from './logging-disk.ts'
import { logKillFaults } from './logging-kills.ts'
import { logTargetFaults } from './logging-targets.ts'
import { checkAll, checkInOrder, deliveredNumbers, readNumbers } from './written-lines.ts'

/** Without its flags of Node.js logger-transport exceeds this. The limit of its container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160
const LOOK_MS = 1000
const MOVE_EVERY_MS = 200

/** How another program moves the log file away. @returns the numbers of the lines that are gone with it */
const moves: Readonly<Record<string, (logFile: string, times: number) => number[]>> = {
  'renamed again and again, as logrotate does'(logFile, times) {
    renameSync(logFile, `${logFile}.${times}`)
    return []
  },
  'removed again and again'(logFile) {
    const descriptor = openSync(logFile, 'r')
    rmSync(logFile)
    const bytes = Buffer.alloc(fstatSync(descriptor).size)
    readSync(descriptor, bytes)
    closeSync(descriptor)
    return readNumbers(bytes.toString())
  },
}

/** Faults that test what logging promises. Each fault could break one promise. */
export const loggingFaults: readonly Fault[] = [
  {
    name: 'app killed',
    seconds: 5,
    async run(directory, seconds) {
      const { stack, requests, member } = await startLoaded(directory)
      await delay(seconds * 1000)
      member('app').signal('SIGKILL')
      await member('app').died
      const { good } = await requests.stop()
      await stack.stop()
      const written = deliveredNumbers(directory).length
      checkInOrder(directory, written)
      const inMemory = Math.max(0, good * LINES_PER_REQUEST - written)
      assert.ok(inMemory < 2000, `${inMemory} lines were in memory`)
      return `${written} lines were written, all delivered; at most ${inMemory} were still in memory`
    },
  },
  {
    name: 'full load for a long time',
    seconds: 360,
    quickSeconds: 5,
    async run(directory, seconds, { progress }) {
      const options = { path: '/log?count=1000', loggerTransport: { keptFiles: 2 } }
      const { stack, finish } = await startLoaded(directory, options)
      let mostMiB = 0
      for (let looks = 0; looks * LOOK_MS < seconds * 1000; looks++) {
        await delay(LOOK_MS)
        mostMiB = Math.max(mostMiB, await residentMiB(stack, 'logger-transport'))
        progress(`logger-transport had ${mostMiB.toFixed(0)} MiB at most`)
      }
      const { logLines } = await finish({ isOpen: true })
      assert.ok(mostMiB < MEMORY_LIMIT_MIB, `logger-transport had ${mostMiB.toFixed(0)} MiB`)
      return `logger-transport had ${mostMiB.toFixed(0)} MiB at most, with ${(logLines.delivered / seconds).toFixed(0)} lines a second`
    },
  },
  ...(['refuses', 'refuses for good'] as const).map(
    (conduct): Fault => ({
      name: `a destination that ${conduct} for a while, beside a file`,
      seconds: 15,
      async run(directory, seconds) {
        const destination = await startDestination()
        const { requests, finish } = await startLoaded(directory, {
          loggerTransport: { targets: ['file', 'otlp'], otlpUrl: destination.url },
        })
        await requests.answered(20)
        destination.behave(conduct)
        await until(() => destination.refused() > 0)
        await delay(seconds * 1000)
        destination.behave('takes')
        const before = destination.received.length
        await until(() => destination.received.length > before)
        const { logLines, says } = await finish()
        await destination.close()
        const { emitted, delivered, dropped, rejected } = logLines
        checkInOrder(directory, emitted)
        const letters = deadLetterFile(logPlaces(directory).logDir, 'otlp')
        const kept = existsSync(letters) ? readNumbers(readFileSync(letters, 'utf8')) : []
        checkAll([...kept, ...destination.received], emitted)
        assert.deepEqual([kept.length, destination.received.length, dropped], [rejected, delivered, 0])
        assert.equal(rejected > 0, conduct === 'refuses for good')
        return `${says}; ${destination.refused()} deliveries refused, ${rejected} lines kept in a dead-letter file, the others delivered`
      },
    }),
  ),
  ...Object.entries(moves).map(
    ([what, move]): Fault => ({
      name: `the log file ${what}`,
      seconds: 10,
      async run(directory, seconds) {
        const { logFile } = logPlaces(directory)
        const { finish } = await startLoaded(directory)
        const gone: number[] = []
        let times = 0
        for (const endsAtMs = performance.now() + seconds * 1000; performance.now() < endsAtMs; ) {
          await delay(MOVE_EVERY_MS)
          await until(() => existsSync(logFile))
          gone.push(...move(logFile, ++times))
        }
        const { logLines, says } = await finish()
        assert.equal(logLines.delivered, logLines.emitted)
        if (gone.length === 0) checkInOrder(directory, logLines.emitted)
        else checkAll([...gone, ...deliveredNumbers(directory)], logLines.emitted)
        return `${times} times; ${says}; ${gone.length} were in a removed file, none lost in between`
      },
    }),
  ),
  ...logDiskFaults,
  ...logKillFaults,
  ...logTargetFaults,
]
