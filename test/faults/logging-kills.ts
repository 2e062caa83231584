import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { toFlags } from '../../lib/cli/command-line.ts'
import { startProcess } from '../../lib/processes/start-process.ts'
import { seededRandom } from '../../lib/random.ts'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { plantWriter, readLines, writersIn } from './written-lines.ts'

const MAIN = join(import.meta.dirname, '../../logger-transport/main.ts')
/** Each transport has to catch up with the lines of two writers. It is killed long before it has done so. */
const WRITER_BYTES = 8 * 2 ** 20
const WRITERS_AHEAD = 2
const LATEST_KILL_MS = 20
const LONGEST_SPIN_MS = 100
/** This includes the start of the transport before the kill. */
const SECONDS_PER_KILL = 1

/** Faults that kill the transport in the middle of a write, once with short lines and once with long ones. */
export const logKillFaults: readonly Fault[] = [100, 400_000].map(lineBytes => ({
  name: `sidecar killed again and again while it catches up with lines of ${lineBytes} bytes`,
  seconds: 250 * SECONDS_PER_KILL,
  quickSeconds: 4 * SECONDS_PER_KILL,
  async run(directory, seconds, { seed, progress }) {
    const random = seededRandom(seed)
    const kills = Math.ceil(seconds / SECONDS_PER_KILL)
    const linesOfWriter = Math.ceil(WRITER_BYTES / lineBytes)
    const { logDir, logFile } = logPlaces(directory)
    let writers = 0
    await (await start(directory)).stop()
    for (let kill = 1; kill <= kills; kill++) {
      for (; writersIn(logDir).length < WRITERS_AHEAD; writers++) {
        const numbers = Array.from(
          { length: linesOfWriter },
          (_, index) => writers * linesOfWriter + index + 1,
        )
        plantWriter(logDir, `writer-${writers}`, [numbers.map(number => lineOf(number, lineBytes)).join('')])
      }
      const before = sizeOf(logFile)
      const transport = await start(directory)
      await until(() => sizeOf(logFile) !== before)
      await delay(random() * LATEST_KILL_MS)
      spinUntilWrite(logFile)
      transport.signal('SIGKILL')
      await transport.ended
      progress(`${kill} of ${kills} kills`)
    }
    const last = await start(directory)
    await until(() => writersIn(logDir).length === 0)
    await last.stop()
    const emitted = writers * linesOfWriter
    const { distinct, lines } = await readWhole(directory, lineBytes)
    assert.equal(distinct, emitted, `${emitted - distinct} of ${emitted} lines are nowhere whole`)
    return `${kills} kills; ${emitted} lines, every one whole, none torn, ${lines - distinct} delivered twice`
  },
}))

/**
 * Starts a transport. Transports start so often here that a cache of their compiled code saves time; the first
 * transport writes the cache when it stops.
 */
function start(directory: string) {
  const flags = ['--port=0', '--kept-files=1000', ...toFlags(logPlaces(directory))]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'compiled') }
  return startProcess({ name: 'logger-transport', file: MAIN, flags, env, echo: false })
}

function lineOf(sequence: number, bytes: number): string {
  const empty = JSON.stringify({ level: 'info', sequence, message: '' })
  return `${JSON.stringify({ level: 'info', sequence, message: 'x'.repeat(bytes - empty.length - 1) })}\n`
}

/** Returns the size of a file in bytes, or 0 if it is missing, as the log file is for a moment during a rotation. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Waits for the next write without a timer: a write is so short that a timer would fire too late. */
function spinUntilWrite(file: string): void {
  const before = sizeOf(file)
  const endsAtMs = performance.now() + LONGEST_SPIN_MS
  while (sizeOf(file) === before && performance.now() < endsAtMs);
}

/** Reads all delivered lines and counts them. @throws if a line is not JSON or is not whole */
async function readWhole(directory: string, lineBytes: number): Promise<{ distinct: number; lines: number }> {
  const seen = new Set<number>()
  let lines = 0
  for await (const line of readLines(directory)) {
    const { level, sequence, message } = JSON.parse(line)
    const written = `${JSON.stringify({ level, sequence, message })}\n`
    assert.ok(written === lineOf(sequence, lineBytes), `a line is not whole: ${line.slice(0, 200)}`)
    seen.add(sequence)
    lines++
  }
  return { distinct: seen.size, lines }
}
