import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
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
  ...logDiskFaults,
  ...logKillFaults,
  ...logTargetFaults,
]
