import { formatDuration } from '../lib/units.ts'
import type { Row } from './rows.ts'
import type { Sample } from './sample.ts'

/** Start, checks and stop of a stack, until the first sample tells. */
const GUESSED_OVERHEAD_MS = 4000

export interface Progress {
  plan(file: string): void
  started(row: Row, round: number): void
  finished(row: Row, sample: Sample): void
}

/** Says on stderr what is going on and for how long: one line that changes on a terminal, a line a sample in a pipe. */
export function createProgress(
  total: number,
  loadMs: number,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  const startedAt = performance.now()
  let done = 0
  const timeLeft = () => {
    const each = done === 0 ? loadMs + GUESSED_OVERHEAD_MS : (performance.now() - startedAt) / done
    return formatDuration((total - done) * each)
  }
  const overwrite = stream.isTTY ? '\r\x1b[2K' : ''
  return {
    plan: file => stream.write(`${total} samples, about ${timeLeft()}; results go to ${file}\n`),
    started(row, round) {
      if (stream.isTTY)
        stream.write(`${overwrite}[${done + 1}/${total}] ${row.name}, round ${round} … ${timeLeft()} left`)
    },
    finished(row, sample) {
      done++
      const outcome = sample.valid
        ? `${Math.round(sample.mainThreadMicros)} µs on the main thread, ${Math.round(sample.goodput)} good/s`
        : `not valid: ${sample.reason}`
      stream.write(
        `${overwrite}[${done}/${total}] ${row.name}, round ${sample.round}: ${outcome} · ${timeLeft()} left\n`,
      )
    },
  }
}
