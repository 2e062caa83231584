import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { MEMBER_STDIO, type RunningProcess, startProcess } from '../../lib/processes/start-process.ts'
import { WRITER_FILE } from '../../logger-transport/protocol.ts'
import { permissionFlags } from '../../stack/permissions.ts'
import { logPlaces, memberOf } from '../stack-parts.ts'
import { type Fault, PAUSE_MS, startRequests, until } from './fault.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { checkLines, childrenOf, MOVED, readLines, startLoad } from './pause-stack.ts'
import { deliveredNumbers, readAll } from './written-lines.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The path of a Unix socket has 107 bytes at most, so a writer in this directory cannot be asked whether it lives. */
const TOO_LONG = 'x'.repeat(108)
/** The transport takes a writer for dead that cannot be asked and gave no sign of life for a minute. */
const LONG_AGO = 61
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const
const APP_FLAGS = ['--port=0', '--admin-port=0', '--compute=inline', '--logging=sidecar', '--apm=none']

/** Faults with writers that the transport cannot see, and with directories that are removed. */
export const awayFaults: readonly Fault[] = [
  {
    name: 'app in another namespace of processes, as in a container, stopped, then killed',
    seconds: 75,
    quickSeconds: 4,
    company: 'many',
    needs: () => (canUnshare() ? undefined : 'a namespace of processes needs root'),
    async run(directory, seconds) {
      const places = logPlaces(directory)
      const first = await startTransport(places)
      const app = await startApp(places, true)
      const load = startLoad(`${app.url}/log?count=10`)
      await load.answersAgain()
      app.signal('SIGSTOP')
      await delay(seconds * 1000)
      app.signal('SIGCONT')
      await load.answersAgain()
      await load.stop()
      const emitted = await app.settle(first)
      await first.stop()
      app.signal('SIGKILL')
      // The second transport has none of the knowledge of the first one.
      const second = await startTransport(places)
      const startedAtMs = performance.now()
      await until(() => writersIn(places.logDir).length === 0)
      const noticedMs = performance.now() - startedAtMs
      await second.stop()
      checkLines(directory, emitted)
      assert.ok(!readAll(directory).includes(MOVED), 'a living writer was taken for dead')
      assert.ok(noticedMs < 30_000, `its death was noticed after ${noticedMs} ms`)
      return `silent for ${seconds} s: not taken for dead; ${emitted} lines, all delivered, in order, none twice; its death is noticed in ${(noticedMs / 1000).toFixed(1)} s`
    },
  },
  {
    name: 'app that cannot be asked, as on another machine, and gave no sign of life for longer than the limit',
    seconds: 10,
    quickSeconds: 2,
    company: 'many',
    async run(directory, seconds) {
      const places = { ...logPlaces(directory), logDir: join(directory, 'segments', TOO_LONG) }
      const transport = await startTransport(places)
      const app = await startApp(places, false)
      const load = startLoad(`${app.url}/log?count=10`)
      await load.answersAgain()
      for (let times = 0; times < 2; times++) {
        app.signal('SIGSTOP')
        const [writer = ''] = writersIn(places.logDir)
        // The time at which it last gave a sign is put back, so that nobody has to wait for a minute.
        const longAgo = Date.now() / 1000 - LONG_AGO
        utimesSync(join(places.logDir, writer, WRITER_FILE), longAgo, longAgo)
        await until(() => !existsSync(join(places.logDir, writer)))
        await delay((seconds * 1000) / 2)
        app.signal('SIGCONT')
        await load.answersAgain()
      }
      await load.stop()
      const emitted = await app.settle(transport)
      await app.stop()
      await transport.stop()
      checkLines(directory, emitted)
      const epochs = readAll(directory).split(MOVED).length
      assert.ok(epochs > 2, `it was taken for dead ${epochs - 1} times`)
      return `taken for dead ${epochs - 1} times, and came back: ${emitted} lines, all delivered, in order, none twice`
    },
  },
  {
    name: 'segments removed by someone else, then the directory of all of them',
    seconds: 10,
    quickSeconds: 2,
    company: 'many',
    async run(directory, seconds) {
      const stack = await startLoggingStack(directory)
      const requests = startRequests(logUrl(stack), 2, PAUSE_MS)
      const transport = memberOf(stack, 'logger-transport')
      const { logDir } = logPlaces(directory)
      const sayings = () => readAll(directory).split(MOVED).length - 1
      const removals = [() => writersIn(logDir).map(name => join(logDir, name)), () => [logDir]]
      for (const removed of removals) {
        const said = sayings()
        const { answers } = requests
        const before = answers()
        await until(() => answers() > before + 50)
        transport.signal('SIGSTOP')
        await delay((seconds * 1000) / 4)
        for (const path of removed()) rmSync(path, { recursive: true, maxRetries: 5 })
        await delay((seconds * 1000) / 4)
        transport.signal('SIGCONT')
        await until(() => sayings() > said)
      }
      const { good, failed } = await requests.stop()
      const { logLines } = await stack.stop()
      const { emitted = 0, delivered, dropped = 0 } = logLines ?? {}
      const numbers = deliveredNumbers(directory)
      assert.equal(failed, 0, `${failed} requests failed`)
      assert.ok(dropped > 0, 'unread lines were removed')
      assert.deepEqual(
        [numbers.length, new Set(numbers).size, delivered],
        [emitted - dropped, emitted - dropped, emitted - dropped],
        `of ${emitted} lines ${dropped} were lost; delivered, distinct, counted`,
      )
      return `${good} requests answered; of ${emitted} lines ${dropped} were removed unread, and counted, ${delivered} delivered, none twice`
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

/** Starts the app alone, in this namespace of processes or in a namespace of its own. */
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
  return {
    url: app.addresses.http as string,
    stop: app.stop,
    signal: (signal: NodeJS.Signals) => void process.kill(pid, signal),
    /** Waits until all lines that the app emitted are delivered. @returns the number of these lines */
    async settle(transport: RunningProcess): Promise<number> {
      const { emitted } = await readLines(app.addresses.admin as string)
      await until(async () => (await readLines(transport.addresses.http as string)).delivered === emitted)
      return emitted as number
    },
  }
}

const writersIn = (logDirectory: string): string[] =>
  readdirSync(logDirectory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)

/** Tries to create a namespace of processes. Only root may do this, and in a container often not even root. */
function canUnshare(): boolean {
  try {
    execFileSync(UNSHARE[0], [...UNSHARE.slice(1), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
