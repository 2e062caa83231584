import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bytesToMiB } from '../../lib/units.ts'
import { type Fault, until } from './fault.ts'
import { readCounts, residentMiB, signedMiB, startLoaded } from './loaded-stack.ts'
import { deliveredNumbers, readAll, segmentBytes } from './written-lines.ts'

/** The heap of an app under load grows by less than this, with the lines that may wait in memory. */
const GROWTH_LIMIT_MIB = 128

// A segment has up to 4 MiB. On a smaller disk, room comes only from segments that end before.
const disks = [
  { name: 'disk bound reached', mib: 8, isMounted: false },
  ...[6, 2].map(mib => ({ name: `disk of ${mib} MiB full`, mib, isMounted: true })),
]

/** Faults that test what logging promises about the disk while the sidecar stands still. */
export const logDiskFaults: readonly Fault[] = disks.map(({ name, mib, isMounted }) => ({
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
