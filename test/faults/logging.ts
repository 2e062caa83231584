import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bytesToMiB } from '../../lib/units.ts'
import { startProcess } from '../../stack/process.ts'
import { memberOf } from '../member-of.ts'
import { type Fault, startRequests, until } from './fault.ts'
import {
  canMount,
  deliveredNumbers,
  LINES_PER_REQUEST,
  logUrl,
  readAll,
  residentMiB,
  segmentBytes,
  startDestination,
  startLoggingStack,
  upTo,
  writeAwkwardSegments,
} from './logging-stack.ts'

/** The promises of docs/logging.md, each with what could break it. */
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
      destination.down(true)
      await delay(seconds * 1000)
      destination.down(false)
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
  {
    name: 'disk bound reached',
    seconds: 10,
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory, { app: { logDiskMib: 8, logMemoryMib: 1 } })
      const transport = memberOf(stack, 'logger-transport')
      transport.signal('SIGSTOP')
      const requests = startRequests(logUrl(stack, 1000))
      await delay(seconds * 1000)
      const onDisk = bytesToMiB(segmentBytes(directory))
      transport.signal('SIGCONT')
      await until(() => deliveredNumbers(directory).length > 30_000)
      const { failed } = await requests.stop()
      const { logLines } = await stack.stop()
      const { emitted = 0, dropped = 0 } = logLines ?? {}
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.ok(onDisk <= 8, `${onDisk} MiB on disk`)
      assert.ok(dropped > 0, 'lines were dropped')
      assert.equal(deliveredNumbers(directory).length, emitted - dropped)
      assert.match(readAll(directory), /"message":"log lines were dropped"/)
      return `${Math.round(onDisk)} MiB on disk; of ${emitted} lines ${dropped} dropped, counted and reported, the rest delivered`
    },
  },
  {
    name: 'disk full',
    seconds: 10,
    needs: () => (canMount() ? undefined : 'mounting a small file system needs root'),
    async run(directory, seconds) {
      const disk = join(directory, 'segments')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', disk])
      try {
        const stack = await startLoggingStack(directory, { app: { logMemoryMib: 1 } })
        const transport = memberOf(stack, 'logger-transport')
        transport.signal('SIGSTOP')
        const requests = startRequests(logUrl(stack, 1000))
        await delay(seconds * 1000)
        transport.signal('SIGCONT')
        await until(() => readAll(directory).includes('"message":"log lines were dropped"'))
        const { failed } = await requests.stop()
        const { logLines } = await stack.stop()
        const { emitted = 0, dropped = 0 } = logLines ?? {}
        assert.equal(failed, 0, `${failed} requests failed`)
        assert.ok(dropped > 0, 'lines were dropped')
        assert.equal(new Set(deliveredNumbers(directory)).size, emitted - dropped)
        return `of ${emitted} lines ${dropped} dropped, counted and reported, the rest delivered; no request failed`
      } finally {
        execFileSync('umount', ['-l', disk])
      }
    },
  },
  {
    name: 'a 10 MB line, a binary line, half a line at the end of a segment',
    seconds: 0,
    async run(directory) {
      writeAwkwardSegments(directory)
      const flags = [
        '--port',
        '0',
        '--log-dir',
        join(directory, 'segments'),
        '--log-file',
        join(directory, 'app.log'),
      ]
      const file = join(import.meta.dirname, '../../logger-transport/main.ts')
      const transport = await startProcess({ name: 'logger-transport', file, flags, echo: false })
      const metrics = () => fetch(`${transport.addresses.http}/metrics`).then(response => response.text())
      await until(() => readAll(directory).includes('"sequence":6'))
      assert.match(await metrics(), /lines_malformed_total\{target="file"\} 3/)
      await transport.stop()
      assert.deepEqual(deliveredNumbers(directory), [1, 2, 3, 6])
      assert.equal(readAll(directory).match(/a log line was malformed/g)?.length, 3)
      return '3 counted and kept as text, the 4 lines around them delivered'
    },
  },
]
