import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { deadLetterFile } from '../../logger-transport/dead-letters.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { startDestination } from './logging-destination.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, readNumbers, upTo } from './written-lines.ts'

const LINES_PER_REQUEST = 1000
/** Without its flags of Node.js the process exceeds this. The limit of its container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160
const LOOK_MS = 1000

/** Faults that test what logger-transport itself promises: its memory, and lines that a target refuses for good. */
export const logTransportFaults: readonly Fault[] = [
  {
    name: 'full load for a long time',
    seconds: 360,
    quickSeconds: 5,
    async run(directory, seconds, { progress }) {
      const stack = await startLoggingStack(directory, { loggerTransport: { keptFiles: 2 } })
      const requests = startRequests(logUrl(stack, LINES_PER_REQUEST))
      const endsAtMs = performance.now() + seconds * 1000
      let mostMiB = 0
      while (performance.now() < endsAtMs) {
        await delay(LOOK_MS)
        const response = await fetch(`${stack.address('logger-transport')}/usage`)
        const { residentBytes } = (await response.json()) as ProcessUsage
        mostMiB = Math.max(mostMiB, bytesToMiB(residentBytes))
        progress(`logger-transport had ${mostMiB.toFixed(0)} MiB at most`)
      }
      await requests.stop()
      const { logLines } = await stack.stop()
      assert.ok(mostMiB < MEMORY_LIMIT_MIB, `logger-transport had ${mostMiB.toFixed(0)} MiB`)
      const perSecond = (logLines?.delivered ?? 0) / seconds
      return `logger-transport had ${mostMiB.toFixed(0)} MiB at most, with ${perSecond.toFixed(0)} lines a second`
    },
  },
  {
    name: 'a destination that refuses lines for good for a while, beside a file',
    seconds: 10,
    async run(directory, seconds) {
      const destination = await startDestination('refuses for good')
      const stack = await startLoggingStack(directory, {
        loggerTransport: { targets: ['file', 'otlp'], otlpUrl: destination.url },
      })
      const requests = startRequests(logUrl(stack))
      await until(() => destination.refused() > 0)
      await delay(seconds * 1000)
      destination.behave('takes')
      await until(() => destination.received.length > 0)
      await requests.stop()
      const { logLines } = await stack.stop()
      await destination.close()
      const { emitted = 0, delivered = 0, dropped, rejected = 0 } = logLines ?? {}
      assert.deepEqual([emitted, dropped], [delivered + rejected, 0], 'the ledger is open')
      assert.deepEqual(deliveredNumbers(directory), upTo(emitted), 'the file is not held up')
      const kept = readNumbers(readFileSync(deadLetterFile(logPlaces(directory).logDir, 'otlp'), 'utf8'))
      assert.deepEqual([...kept, ...destination.received], upTo(emitted), 'each line is in one of two places')
      assert.deepEqual([kept.length, destination.received.length], [rejected, delivered])
      return `${rejected} of ${emitted} lines rejected and kept in a dead-letter file, ${delivered} delivered behind them`
    },
  },
]
