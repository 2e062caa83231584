import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { readMetric, startLoaded } from './loaded-stack.ts'
import { findMountTrouble, mountDisk } from './logging.ts'

/** Logger-transport and the app stop within this time, whatever has happened to their places. */
const STOP_LIMIT_MS = 25_000

interface Disturbance {
  readonly name: string
  readonly needs?: Fault['needs']
  /** Called before the stack starts. */
  prepare?(places: Places): void
  begin(places: Places): void
  /** Absent if the disturbance stays, also during the stop. */
  end?(places: Places): void
}

interface Places {
  readonly directory: string
  readonly logDir: string
  readonly logFile: string
}

const isRoot = () => (process.getuid?.() === 0 ? 'root has every permission' : undefined)

/** The smallest disk bound makes the smallest segments. The lines of this number of requests fill more than one. */
const LOG_DISK_MIB = 8
const REQUESTS_PER_SEGMENT = 400

const disturbances: readonly Disturbance[] = [
  {
    name: 'the log directory renamed',
    begin: ({ logDir }) => renameSync(logDir, `${logDir}.away`),
  },
  {
    name: 'a file in place of the log directory for a while',
    begin({ logDir }) {
      renameSync(logDir, `${logDir}.away`)
      writeFileSync(logDir, '')
    },
    end({ logDir }) {
      rmSync(logDir)
      renameSync(`${logDir}.away`, logDir)
    },
  },
  {
    name: 'log directory and log file without permission for a while',
    needs: isRoot,
    begin: ({ directory, logDir }) => {
      chmodSync(logDir, 0)
      chmodSync(directory, 0o500)
    },
    end: ({ directory, logDir }) => {
      chmodSync(directory, 0o700)
      chmodSync(logDir, 0o700)
    },
  },
  {
    name: 'the log directory read-only for a while, with few inodes',
    needs: findMountTrouble,
    prepare: ({ logDir }) => mountDisk(logDir, 'size=64m,nr_inodes=24'),
    // The segment that the app has open can still be written to. The next one cannot be created.
    begin: ({ logDir }) => execFileSync('mount', ['-o', 'bind,ro', logDir, logDir]),
    end: ({ logDir }) => execFileSync('umount', ['-l', logDir]),
  },
]

/** Faults that change the places of log lines while the stack runs. */
export const placeFaults: readonly Fault[] = disturbances.map(({ name, needs, prepare, begin, end }) => ({
  name,
  ...(needs && { needs }),
  seconds: 10,
  async run(directory, seconds) {
    const places = { directory: join(directory, 'logs'), ...logPlaces(join(directory, 'logs')) }
    mkdirSync(places.directory)
    prepare?.(places)
    const options = { clients: 1, app: { logDiskMib: LOG_DISK_MIB } }
    const { stack, requests, finish } = await startLoaded(places.directory, options)
    await until(() => existsSync(places.logFile))
    await requests.answered(20)
    begin(places)
    await delay(seconds * 1000)
    await requests.answered(REQUESTS_PER_SEGMENT)
    end?.(places)
    await requests.answered(20)
    await requests.stop()
    const waitingBytes = () => readMetric(stack.address('logger-transport'), 'logger_transport_lag_bytes')
    if (end) await until(async () => (await waitingBytes()) === 0)
    const { logLines, stopMs, says } = await finish({ isOpen: !end })
    const waiting = logLines.emitted - logLines.delivered - logLines.dropped
    assert.ok(stopMs < STOP_LIMIT_MS, `the stop took ${stopMs.toFixed(0)} ms`)
    assert.ok(waiting >= 0 && logLines.emitted > 0)
    return `${says}; ${waiting} wait on the disk; stopped in ${(stopMs / 1000).toFixed(1)} s`
  },
}))
