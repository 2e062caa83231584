import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bytesToMiB } from '../../lib/units.ts'
import { type Fault, until } from './fault.ts'
import { LINES_PER_REQUEST, readCounts, residentMiB, signedMiB, startLoaded } from './loaded-stack.ts'
import { logKillFaults } from './logging-kills.ts'
import { logTargetFaults } from './logging-targets.ts'
import { checkInOrder, deliveredNumbers, readAll, segmentBytes } from './written-lines.ts'

/** Without its flags of Node.js logger-transport exceeds this. The limit of its container is 256 MiB. */
const MEMORY_LIMIT_MIB = 160
const LOOK_MS = 1000

/** The heap of an app under load grows by less than this, with the lines that may wait in memory. */
const GROWTH_LIMIT_MIB = 128

// A segment has up to 4 MiB. On a smaller disk, room comes only from segments that end before.
const disks = [
  { name: 'disk bound reached', mib: 8, isMounted: false },
  ...[6, 2].map(mib => ({ name: `disk of ${mib} MiB full`, mib, isMounted: true })),
]

/** The sidecar stands still until its disk is full. */
const fullDisks: readonly Fault[] = disks.map(({ name, mib, isMounted }) => ({
  name,
  seconds: 10,
  ...(isMounted && { needs: findMountTrouble }),
  async run(directory, seconds) {
    const disk = join(directory, 'segments')
    if (isMounted) mountDisk(disk, `size=${mib}m`)
    const app = { logMemoryMib: 1, ...(!isMounted && { logDiskMib: mib }) }
    const { stack, requests, member, finish } = await startLoaded(directory, { path: '/log?count=1000', app })
    await requests.answered(50)
    const before = await residentMiB(stack)
    member('logger-transport').signal('SIGSTOP')
    await delay(seconds * 1000)
    await until(async () => (await readCounts(stack.address('app', 'admin'))).dropped > 0)
    const [onDisk, grown] = [bytesToMiB(segmentBytes(directory)), (await residentMiB(stack)) - before]
    member('logger-transport').signal('SIGCONT')
    await until(() => readAll(directory).includes('"message":"log lines were dropped"'))
    const { logLines, says } = await finish()
    assert.ok(onDisk <= mib, `${onDisk} MiB on disk`)
    assert.ok(grown < GROWTH_LIMIT_MIB, `memory grew by ${grown} MiB`)
    assert.equal(new Set(deliveredNumbers(directory)).size, logLines.emitted - logLines.dropped)
    if (isMounted) execFileSync('umount', ['-l', disk])
    return `${Math.round(onDisk)} MiB on disk, memory ${signedMiB(grown)}; ${says}, the rest delivered`
  },
}))

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
  ...fullDisks,
  ...logKillFaults,
  ...logTargetFaults,
]

/** Makes a directory that is a disk of its own. What starts a fault unmounts it if the fault fails. */
export function mountDisk(directory: string, options: string): void {
  mkdirSync(directory)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=700`, 'tmpfs', directory], { stdio: 'ignore' })
}

/** Tries to mount a file system. Only root may mount, and in a container often not even root. */
export function findMountTrouble(): string | undefined {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'))
  try {
    mountDisk(join(probe, 'disk'), 'size=1m')
    execFileSync('umount', [join(probe, 'disk')])
    return undefined
  } catch {
    return 'mounting a small file system needs root'
  } finally {
    rmdirSync(join(probe, 'disk'))
    rmdirSync(probe)
  }
}
