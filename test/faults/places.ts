import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { logPlaces, memberOf } from '../stack-parts.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { canMount } from './logging-disk.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'

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
const mountNeedsRoot = () => (canMount() ? undefined : 'mounting a small file system needs root')

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
    name: 'a directory in place of the log file for a while',
    begin: ({ logFile }) => takePlace(logFile, () => mkdirSync(logFile)),
    end: ({ logFile }) => rmSync(logFile, { recursive: true }),
  },
  {
    name: 'a pipe in place of the log file, also during the stop',
    begin: ({ logFile }) => takePlace(logFile, () => execFileSync('mkfifo', [logFile], { stdio: 'ignore' })),
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
    needs: mountNeedsRoot,
    prepare({ logDir }) {
      mkdirSync(logDir)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,nr_inodes=24,mode=700', 'tmpfs', logDir])
    },
    // The segment that the app has open can still be written to. The next one cannot be created.
    begin: ({ logDir }) => execFileSync('mount', ['-o', 'bind,ro', logDir, logDir]),
    end: ({ logDir }) => execFileSync('umount', ['-l', logDir]),
  },
]

/** Puts something else in place of the log file. Logger-transport may make a new file first: then that one is renamed, too. */
function takePlace(logFile: string, make: () => void): void {
  for (let tries = 1; ; tries++) {
    renameSync(logFile, `${logFile}.${tries}`)
    try {
      return make()
    } catch (error) {
      if (!existsSync(logFile)) throw error
    }
  }
}

/** Faults that change the places of log lines while the stack runs. */
export const placeFaults: readonly Fault[] = disturbances.map(({ name, needs, prepare, begin, end }) => ({
  name,
  ...(needs && { needs }),
  seconds: 10,
  async run(directory, seconds) {
    const places = { directory: join(directory, 'logs'), ...logPlaces(join(directory, 'logs')) }
    mkdirSync(places.directory)
    prepare?.(places)
    const stack = await startLoggingStack(places.directory, { app: { logDiskMib: LOG_DISK_MIB } })
    const requests = startRequests(logUrl(stack), 1)
    const after = (answers: number) => {
      const before = requests.answers()
      return until(() => requests.answers() > before + answers)
    }
    await until(() => existsSync(places.logFile))
    await after(20)
    begin(places)
    await delay(seconds * 1000)
    await after(REQUESTS_PER_SEGMENT)
    end?.(places)
    await after(20)
    const { good, failed } = await requests.stop()
    const transport = memberOf(stack, 'logger-transport')
    if (end) await untilNothingWaits(stack.address('logger-transport'))
    const startedAtMs = performance.now()
    const { logLines } = await stack.stop()
    const stopMs = performance.now() - startedAtMs
    const { emitted = 0, delivered = 0, dropped = 0 } = logLines ?? {}
    assert.deepEqual([failed, transport.restarts], [0, 0], 'failed requests, restarts')
    assert.ok(stopMs < STOP_LIMIT_MS, `the stop took ${stopMs.toFixed(0)} ms`)
    const waiting = emitted - delivered - dropped
    if (end) assert.equal(waiting, 0, 'the ledger is open')
    else assert.ok(waiting >= 0 && emitted > 0)
    return `${good} requests, none failed; of ${emitted} lines ${delivered} delivered, ${dropped} dropped and counted, ${waiting} wait on the disk; stopped in ${(stopMs / 1000).toFixed(1)} s`
  },
}))

async function untilNothingWaits(transport: string): Promise<void> {
  await until(async () => {
    const metrics = await (await fetch(`${transport}/metrics`)).text()
    return /^logger_transport_lag_bytes.* 0$/m.test(metrics)
  })
}
