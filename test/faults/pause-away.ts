import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { MEMBER_STDIO, type RunningProcess, startProcess } from '../../lib/processes/start-process.ts'
import { WRITER_FILE } from '../../logger-transport/protocol.ts'
import { permissionFlags } from '../../stack/permissions.ts'
import { childrenOf } from '../run-command.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { PAUSE_MS, readCounts, startRequests } from './loaded-stack.ts'
import { checkInOrder, readAll, writersIn } from './written-lines.ts'

/** The load is so light that all lines of the longest stop fit into the disk bound. */
export const CLIENTS = 4
/** After this many more good answers, the app counts as working again. */
export const ANSWERS = 20
export const MOVED = 'the log segments were taken away'

const ROOT = join(import.meta.dirname, '../..')
/** The path of a Unix socket has 107 bytes at most, so a writer in this directory cannot be asked whether it lives. */
const TOO_LONG = 'x'.repeat(108)
/** The transport takes a writer for dead that cannot be asked and gave no sign of life for a minute. */
const LONG_AGO = 61
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const
const APP_FLAGS = ['--port=0', '--admin-port=0', '--compute=inline', '--logging=sidecar', '--apm=none']

/** Faults with writers that the transport cannot see. */
export const awayFaults: readonly Fault[] = [
  {
    name: 'app in another namespace of processes, as in a container, stopped, then killed',
    seconds: 75,
    quickSeconds: 4,
    needs: () => (canUnshare() ? undefined : 'a namespace of processes needs root'),
    async run(directory, seconds) {
      const places = logPlaces(directory)
      const first = await startTransport(places)
      const app = await startApp(places, true)
      app.signal('SIGSTOP')
      await delay(seconds * 1000)
      app.signal('SIGCONT')
      await app.requests.answered(ANSWERS)
      const emitted = await app.settle(first)
      await first.stop()
      app.signal('SIGKILL')
      // The second transport has none of the knowledge of the first one.
      const second = await startTransport(places)
      const startedAtMs = performance.now()
      await until(() => writersIn(places.logDir).length === 0)
      const noticedMs = performance.now() - startedAtMs
      await second.stop()
      checkInOrder(directory, emitted)
      assert.ok(!readAll(directory).includes(MOVED), 'a living writer was taken for dead')
      assert.ok(noticedMs < 30_000, `its death was noticed after ${noticedMs} ms`)
      return `silent for ${seconds} s: not taken for dead; ${emitted} lines, all delivered, in order, none twice; its death is noticed in ${(noticedMs / 1000).toFixed(1)} s`
    },
  },
  {
    name: 'app that cannot be asked, as on another machine, and gave no sign of life for longer than the limit',
    seconds: 10,
    quickSeconds: 2,
    async run(directory, seconds) {
      const places = { ...logPlaces(directory), logDir: join(directory, 'segments', TOO_LONG) }
      const transport = await startTransport(places)
      const app = await startApp(places, false)
      for (let times = 0; times < 2; times++) {
        app.signal('SIGSTOP')
        const [writer = ''] = writersIn(places.logDir)
        // The time at which it last gave a sign is put back, so that nobody has to wait for a minute.
        const longAgo = Date.now() / 1000 - LONG_AGO
        utimesSync(join(places.logDir, writer, WRITER_FILE), longAgo, longAgo)
        await until(() => !existsSync(join(places.logDir, writer)))
        await delay((seconds * 1000) / 2)
        app.signal('SIGCONT')
        await app.requests.answered(ANSWERS)
      }
      const emitted = await app.settle(transport)
      await app.stop()
      await transport.stop()
      checkInOrder(directory, emitted)
      const deaths = readAll(directory).split(MOVED).length - 1
      assert.ok(deaths >= 2, `it was taken for dead ${deaths} times`)
      return `taken for dead ${deaths} times, and came back: ${emitted} lines, all delivered, in order, none twice`
    },
  },
]

const startTransport = (places: ReturnType<typeof logPlaces>): Promise<RunningProcess> =>
  startProcess({
    name: 'logger-transport',
    file: join(ROOT, 'logger-transport/main.ts'),
    flags: ['--port=0', '--kept-files=1000', ...toFlags(places)],
    nodeFlags: permissionFlags('logger-transport', places),
    echo: true,
  })

/** Starts the app alone, in this namespace of processes or in a namespace of its own, under load. */
async function startApp(places: ReturnType<typeof logPlaces>, isAway: boolean) {
  const command = [process.execPath, join(ROOT, 'app/main.ts')]
  const [program, ...words] = isAway ? [...UNSHARE, ...command] : command
  const app = await startProcess({
    name: 'app',
    file: '',
    flags: [...APP_FLAGS, ...toFlags(places)],
    echo: true,
    fork: flags => spawn(program as string, [...words, ...flags], { stdio: [...MEMBER_STDIO] }),
  })
  // `unshare` keeps running as the parent of the process that it starts.
  const pid = isAway ? (childrenOf(app.pid)[0] as number) : app.pid
  const requests = startRequests(`${app.addresses.http}/log?count=10`, CLIENTS, PAUSE_MS)
  await requests.answered(ANSWERS)
  return {
    requests,
    stop: app.stop,
    signal: (signal: NodeJS.Signals) => void process.kill(pid, signal),
    /** Ends the load, and waits until all lines that the app emitted are delivered. @returns the number of these lines */
    async settle(transport: RunningProcess): Promise<number> {
      await requests.stop()
      const { emitted } = await readCounts(app.addresses.admin as string)
      await until(async () => (await readCounts(transport.addresses.http as string)).delivered === emitted)
      return emitted
    },
  }
}

/** Tries to create a namespace of processes. Only root may do this, and in a container often not even root. */
function canUnshare(): boolean {
  try {
    execFileSync(UNSHARE[0], [...UNSHARE.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
