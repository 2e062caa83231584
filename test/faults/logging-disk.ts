import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { resource } from '../../app/context.ts'
import { toFlags } from '../../lib/cli/command-line.ts'
import { startProcess } from '../../lib/processes/start-process.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'
import { logPlaces, memberOf } from '../stack-parts.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, readAll, segmentBytes } from './written-lines.ts'

/** Faults that test what logging promises about the disk: its bound, a full disk, and awkward segments. */
export const logDiskFaults: readonly Fault[] = [
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
  // A segment has up to 4 MiB. On a smaller disk, room comes only from segments that end before.
  ...[6, 2].map(mib => ({
    name: `disk of ${mib} MiB full`,
    seconds: 10,
    needs: () => (canMount() ? undefined : 'mounting a small file system needs root'),
    async run(directory: string, seconds: number) {
      const disk = join(directory, 'segments')
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=700`, 'tmpfs', disk])
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
  })),
  {
    name: 'a 10 MB line, a binary line, half a line at the end of a segment',
    seconds: 0,
    async run(directory) {
      writeAwkwardSegments(directory)
      const flags = ['--port=0', ...toFlags(logPlaces(directory))]
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

/** Tries to mount a file system. Only root may mount, and in a container often not even root. */
export function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(probe)
  }
}

function writeAwkwardSegments(directory: string): void {
  const writer = join(directory, 'segments', resource.instance)
  mkdirSync(writer, { recursive: true })
  const line = (sequence: number, message = 'fine') =>
    `${JSON.stringify({ level: 'info', sequence, message })}\n`
  const binary = Buffer.from([0, 255, 254, 1, 10])
  writeFileSync(join(writer, WRITER_FILE), JSON.stringify({ resource }))
  writeFileSync(
    join(writer, segmentName(1)),
    Buffer.concat([
      Buffer.from(line(1)),
      Buffer.from(line(4, 'x'.repeat(10_000_000))),
      Buffer.from(line(2)),
      binary,
      Buffer.from(line(3)),
      Buffer.from(line(5).slice(0, 30)),
    ]),
  )
  writeFileSync(join(writer, segmentName(2)), line(6))
  writeFileSync(join(writer, CLOSED_FILE), '')
}
