import { formatDuration } from '../../../lib/units.ts'
import { resultsFile } from '../../outcome/results-file.ts'
import { watchPromise } from '../../run/promise.ts'
import type { Order } from './protocol.ts'
import type { BreakEvenResults, Sample } from './results.ts'
import { describeLongTurns, describeOrder } from './words.ts'

/**
 * Time to start and stop a process, to start its pool and to warm it up: a guess until the first samples are
 * measured.
 */
const GUESSED_OVERHEAD_MS = 200

export interface Progress {
  plan(results: BreakEvenResults, samplesPerRound: number): void
  finished(order: Order, sample: Sample<object>): void
}

/**
 * Writes to stderr what was measured and how long the rest will take: a line that changes on a terminal, a line for
 * each sample in a pipe.
 */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const startedAtMs = performance.now()
  const write = (line: string) => stream.write(stream.isTTY ? `\r\x1b[2K${line}` : line)
  let foresee = watchPromise(undefined, write)
  let planned = 0
  let taken = 0
  let done = 0
  let rounds = 0
  return {
    plan(results, samplesPerRound) {
      const { settings } = results
      rounds = settings.rounds
      planned = rounds * samplesPerRound
      const lengthMs = planned * (2 * settings.windowMs + GUESSED_OVERHEAD_MS)
      stream.write(
        `${rounds} rounds of ${samplesPerRound} samples, about ${formatDuration(lengthMs)}; order from seed ${settings.seed}\n`,
      )
      foresee = watchPromise(settings.promisedSeconds, write)
      foresee(lengthMs, 'there are many or long samples')
      for (const line of describeLongTurns(settings)) stream.write(`${line}\n`)
      stream.write(`results go to ${resultsFile(results)}\n`)
    },
    finished(order, { round, valid, reason }) {
      taken++
      if (valid) done++
      const sampleMs = (performance.now() - startedAtMs) / taken
      const leftMs = sampleMs * Math.max(0, planned - done)
      const left = ` · about ${formatDuration(leftMs)} left`
      const outcome = valid ? '' : ` refused: ${reason}`
      const line = `[round ${round}/${rounds}] ${describeOrder(order)}${outcome}${left}`
      stream.write(stream.isTTY ? `\r\x1b[2K${line}${valid ? '' : '\n'}` : `${line}\n`)
      foresee(performance.now() - startedAtMs + leftMs, 'the machine is slow, or samples had to be repeated')
      if (stream.isTTY && done === planned) stream.write('\n')
    },
  }
}
