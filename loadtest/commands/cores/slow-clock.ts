/**
 * Lets clocks and timers run slowly: `node --import slow-clock.ts?speed=0.1` makes a second of a process, with its threads, as
 * long as ten real ones. So its deadlines and delays are in proportion to work on cores in slow motion, and what it measures is
 * the time that cores of full speed would take. `Date` stays as it is.
 */
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import timers from 'node:timers'
import promises from 'node:timers/promises'

const speed = Number(new URL(import.meta.url).searchParams.get('speed'))

const now = performance.now.bind(performance)
performance.now = () => now() * speed

const { hrtime } = process
const slow = (earlier?: [number, number]): [number, number] => {
  const nanos = slow.bigint() - (earlier ? BigInt(earlier[0]) * NANOS + BigInt(earlier[1]) : 0n)
  return [Number(nanos / NANOS), Number(nanos % NANOS)]
}
const NANOS = 1_000_000_000n
slow.bigint = () => BigInt(Math.round(Number(hrtime.bigint()) * speed))
process.hrtime = slow

/** Timers of Node.js with a longer time fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A timer of 0 or 1 ms means the next turn of the event loop. */
const longer = (delayMs: number | undefined) =>
  delayMs === undefined || delayMs <= 1 ? delayMs : Math.min(delayMs / speed, LONGEST_MS)

type Starts = (run: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) => NodeJS.Timeout
for (const name of ['setTimeout', 'setInterval'] as const) {
  const start = timers[name] as Starts
  const startSlowly = Object.assign(
    (...[run, delayMs, ...args]: Parameters<Starts>) => start(run, longer(delayMs), ...args),
    start,
  )
  Object.assign(timers, { [name]: startSlowly })
  Object.assign(globalThis, { [name]: startSlowly })
}

// The time after which Node.js closes an idle connection.
const { setTimeout: setIdle } = Socket.prototype
Socket.prototype.setTimeout = function (idleMs, callback) {
  return setIdle.call(this, longer(idleMs) as number, callback)
}

const { setTimeout: delay, setInterval: repeat } = promises
Object.assign(promises, {
  setTimeout: (...[delayMs, ...rest]: Parameters<typeof delay>) => delay(longer(delayMs), ...rest),
  setInterval: (...[delayMs, ...rest]: Parameters<typeof repeat>) => repeat(longer(delayMs), ...rest),
})
syncBuiltinESMExports()
