import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { memberOf } from '../stack-parts.ts'
import { type Fault, residentMiB, startRequests, until } from './fault.ts'
import { startDestination } from './logging-destination.ts'
import { logDiskFaults } from './logging-disk.ts'
import { logFileFaults } from './logging-files.ts'
import { logKillFaults } from './logging-kills.ts'
import { LINES_PER_REQUEST, logUrl, readLedger, startLoggingStack } from './logging-stack.ts'
import { logTargetFaults } from './logging-targets.ts'
import { logTransportFaults } from './logging-transport.ts'
import { deliveredNumbers, upTo } from './written-lines.ts'

/** Faults that test what logging promises. Each fault could break one promise. */
export const loggingFaults: readonly Fault[] = [
  {
    name: 'none; then SIGTERM to the stack',
    seconds: 5,
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack))
      await delay(seconds * 1000)
      await requests.stop()
      const { logLines } = await stack.stop()
      const numbers = deliveredNumbers(directory)
      assert.deepEqual(numbers, upTo(logLines?.emitted ?? 0))
      return `${numbers.length} lines emitted, all delivered, in order, none twice`
    },
  },
  {
    name: 'app killed',
    seconds: 5,
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack))
      await delay(seconds * 1000)
      const app = memberOf(stack, 'app')
      app.signal('SIGKILL')
      await app.died
      const { good } = await requests.stop()
      await stack.stop()
      const numbers = deliveredNumbers(directory)
      assert.deepEqual(numbers, upTo(numbers.length))
      const inMemory = good * LINES_PER_REQUEST - numbers.length
      assert.ok(inMemory < 2000, `${inMemory} lines were in memory`)
      return `${numbers.length} lines were written, all delivered; at most ${Math.max(0, inMemory)} were still in memory`
    },
  },
  {
    name: 'sidecar killed under load, restarted by the stack',
    seconds: 10,
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack))
      const transport = memberOf(stack, 'logger-transport')
      for (let kills = 0; kills < 3; kills++) {
        await delay((seconds * 1000) / 3)
        const { pid } = transport
        transport.signal('SIGKILL')
        await until(() => transport.pid !== pid)
      }
      const { good, failed } = await requests.stop()
      // Lines that were delivered before a kill still count as delivered.
      await until(async () => {
        const { emitted, delivered } = await readLedger(stack)
        return delivered === emitted
      })
      const { logLines } = await stack.stop()
      const numbers = deliveredNumbers(directory)
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.deepEqual(
        [...new Set(numbers)].sort((a, b) => a - b),
        upTo(logLines?.emitted ?? 0),
      )
      const twice = numbers.length - (logLines?.emitted ?? 0)
      return `${good} requests, none failed; ${logLines?.emitted} lines, none lost, ${twice} delivered twice`
    },
  },
  {
    name: 'sidecar stopped for a while, then continued',
    seconds: 10,
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack))
      await until(() => requests.answers() > 500)
      const before = await residentMiB(stack)
      const transport = memberOf(stack, 'logger-transport')
      transport.signal('SIGSTOP')
      await delay(seconds * 1000)
      const grown = (await residentMiB(stack)) - before
      transport.signal('SIGCONT')
      const { failed } = await requests.stop()
      const { logLines } = await stack.stop()
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.ok(grown < 128, `memory grew by ${grown} MiB`)
      assert.equal(logLines?.dropped, 0)
      assert.deepEqual(deliveredNumbers(directory), upTo(logLines?.emitted ?? 0))
      return `no request failed, memory ${grown < 0 ? '' : '+'}${Math.round(grown)} MiB, ${logLines?.emitted} lines, none lost`
    },
  },
  {
    name: 'destination down for a while',
    seconds: 20,
    async run(directory, seconds) {
      const destination = await startDestination()
      const stack = await startLoggingStack(directory, {
        loggerTransport: { targets: ['file', 'otlp'], otlpUrl: destination.url },
      })
      const requests = startRequests(logUrl(stack))
      await until(() => requests.answers() > 20)
      destination.behave('refuses')
      await delay(seconds * 1000)
      destination.behave('takes')
      const { failed } = await requests.stop()
      const { logLines } = await stack.stop()
      await destination.close()
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.ok(destination.refused() > 0, 'it was down')
      assert.deepEqual(
        deliveredNumbers(directory),
        upTo(logLines?.emitted ?? 0),
        'the other target is not held up',
      )
      assert.equal(logLines?.delivered, logLines?.emitted)
      return `${destination.refused()} deliveries refused, then all ${logLines?.emitted} lines delivered`
    },
  },
  ...logDiskFaults,
  ...logKillFaults,
  ...logTargetFaults,
  ...logTransportFaults,
  ...logFileFaults,
]
