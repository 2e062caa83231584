import assert from 'node:assert/strict'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { renderTally } from './fault.ts'
import { awayFaults } from './pause-away.ts'
import { startLoadedStack, total } from './pause-stack.ts'

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
      company: 'many',
      needs: needsProc,
      async run(directory, seconds, { progress }) {
        const stack = await startLoadedStack(directory)
        const { load } = stack
        for (const full of PAUSES_SECONDS) {
          const pauseSeconds = (full / TOTAL_SECONDS) * seconds
          const signal = (signal: NodeJS.Signals) => {
            for (const name of names) process.kill(stack.pids.get(name) as number, signal)
          }
          signal('SIGSTOP')
          await delay(pauseSeconds * 1000)
          signal('SIGCONT')
          await load.answersAgain()
          progress(`${pauseSeconds.toFixed(1)} s over; ${load.good()} requests answered`)
        }
        const emitted = await stack.finish()
        const failures = total(Object.values(load.failed))
        // Requests in flight when the app stopped may be refused after it continues, because their deadline has passed.
        const allowed = names.includes('app') ? load.clients * PAUSES_SECONDS.length : 0
        assert.ok(failures <= allowed, `requests failed: ${JSON.stringify(load.failed)}`)
        const pauses = PAUSES_SECONDS.map(full => ((full / TOTAL_SECONDS) * seconds).toFixed(1)).join(', ')
        return `for ${pauses} s: ${emitted} lines emitted, all delivered, in order, none twice; ${load.good()} requests answered, ${renderTally(load.failed)} failed`
      },
    }),
  ),
  {
    name: 'the clock is set an hour forth and back',
    seconds: 20,
    quickSeconds: 4,
    company: 'many',
    needs: () => needsProc() ?? (libfaketime() ? undefined : 'there is no faketime'),
    async run(directory, seconds) {
      const clock = join(directory, 'clock')
      const set = (offsetSeconds: number) =>
        writeFileSync(clock, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`)
      set(0)
      const stack = await startLoadedStack(directory, {
        LD_PRELOAD: libfaketime() as string,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // As with a clock that an administrator sets, timers and the times of files are not affected.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      })
      const steps = [HOUR_SECONDS, 0, -HOUR_SECONDS, HOUR_SECONDS, 0]
      for (const offset of steps) {
        set(offset)
        await delay((seconds * 1000) / steps.length)
        await stack.load.answersAgain()
      }
      const emitted = await stack.finish()
      const failures = total(Object.values(stack.load.failed))
      assert.ok(failures <= stack.load.clients * steps.length, JSON.stringify(stack.load.failed))
      return `${steps.length} times: ${emitted} lines emitted, all delivered, in order, none twice; ${stack.load.good()} requests answered, ${renderTally(stack.load.failed)} failed`
    },
  },
  ...awayFaults,
]

/** Finds Debian's library `libfaketime`, which gives a process another clock. */
const libfaketime = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]
