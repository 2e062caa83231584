import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf } from '../run-command.ts'
import { type Fault, renderTally, total, until } from './fault.ts'
import { launchStack, PAUSE_MS, readCounts, startRequests } from './loaded-stack.ts'
import { ANSWERS, awayFaults, CLIENTS, MOVED } from './pause-away.ts'
import { checkInOrder, readAll } from './written-lines.ts'

/**
 * Pauses of a full run: a short one that must disturb nothing, one that is longer than common time limits of a minute,
 * and a long one.
 */
const PAUSES_SECONDS = [5, 75, 200]
const TOTAL_SECONDS = total(PAUSES_SECONDS)
const HOUR_SECONDS = 3600

const victims: readonly (readonly string[])[] = [
  ['app'],
  ['logger-transport'],
  ['apm-agent'],
  ['stack'],
  ['stack', 'app', 'logger-transport', 'apm-agent', 'orders'],
]

const needsProc = () => (existsSync('/proc/self/task') ? undefined : 'processes are found by /proc')

/**
 * Faults in which processes are stopped by SIGSTOP, as `docker pause`, Ctrl-Z and a suspended laptop do, or in which
 * clocks are set.
 */
export const pauseFaults: readonly Fault[] = [
  ...victims.map(
    (names): Fault => ({
      name: `${names.length > 1 ? 'all together' : names[0]} stopped, then continued`,
      seconds: TOTAL_SECONDS,
      quickSeconds: 5,
      needs: needsProc,
      async run(directory, seconds, { progress }) {
        const { requests, pids, finish } = await startLoadedStart(directory)
        const signal = (signal: NodeJS.Signals) => {
          for (const name of names) process.kill(pids.get(name) as number, signal)
        }
        for (const full of PAUSES_SECONDS) {
          const pauseSeconds = (full / TOTAL_SECONDS) * seconds
          signal('SIGSTOP')
          await delay(pauseSeconds * 1000)
          signal('SIGCONT')
          await requests.answered(ANSWERS)
          progress(`${pauseSeconds.toFixed(1)} s over; ${requests.good()} requests answered`)
        }
        // Requests in flight when the app stopped may be refused after it continues, because their deadline has passed.
        return finish(names.includes('app') ? CLIENTS * PAUSES_SECONDS.length : 0)
      },
    }),
  ),
  {
    name: 'the clock is set an hour forth and back',
    seconds: 20,
    quickSeconds: 4,
    needs: () => needsProc() ?? (libfaketime() ? undefined : 'there is no faketime'),
    async run(directory, seconds) {
      const clock = join(directory, 'clock')
      const set = (offsetSeconds: number) =>
        writeFileSync(clock, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`)
      set(0)
      const { requests, finish } = await startLoadedStart(directory, {
        LD_PRELOAD: libfaketime() as string,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // As with a clock that an administrator sets, timers and the times of files are not affected.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      })
      const offsets = [HOUR_SECONDS, 0, -HOUR_SECONDS, HOUR_SECONDS, 0]
      for (const offset of offsets) {
        set(offset)
        await delay((seconds * 1000) / offsets.length)
        await requests.answered(ANSWERS)
      }
      return finish(CLIENTS * offsets.length)
    },
  },
  ...awayFaults,
]

/** Finds Debian's library `libfaketime`, which gives a process another clock. */
const libfaketime = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

/** Runs `npm start` in a process of its own, under a light load. */
async function startLoadedStart(directory: string, env: NodeJS.ProcessEnv = {}) {
  const stack = launchStack(directory, env)
  const address = async (server: string) =>
    (await stack.line(new RegExp(`^ +${server} `))).split(' ').at(-1) as string
  const [page, admin, transport] = [
    await address('try'),
    await address('app \\(admin\\)'),
    await address('logger-transport \\(http\\)'),
  ]
  const requests = startRequests(new URL('/log?count=10', page).href, CLIENTS, PAUSE_MS)
  await requests.answered(ANSWERS)
  const pid = stack.child.pid as number
  return {
    requests,
    /** Process ids by name; `stack` is the process that started the others. */
    pids: new Map([...childrenOf(pid).map(child => [nameOf(child), child] as const), ['stack', pid]]),
    /** Stops the stack in order, and checks that every line was delivered once. @param allowed failures of requests */
    async finish(allowed: number): Promise<string> {
      const { good, failures } = await requests.stop()
      const { emitted } = await readCounts(admin)
      await until(async () => (await readCounts(transport)).delivered === emitted)
      stack.child.kill('SIGTERM')
      assert.deepEqual(await stack.ended, [0, null], stack.lines.join('\n'))
      checkInOrder(directory, emitted)
      assert.ok(!readAll(directory).includes(MOVED), 'a living writer was taken for dead')
      assert.ok(total(Object.values(failures)) <= allowed, `requests failed: ${renderTally(failures)}`)
      return `${emitted} lines emitted, all delivered, in order, none twice; ${good} requests answered, ${renderTally(failures)} failed`
    },
  }
}

/** Returns the folder of a process's main file, which is the name of the process in the stack. */
const nameOf = (pid: number): string =>
  /([a-z-]+)\/main\.ts/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? ''
