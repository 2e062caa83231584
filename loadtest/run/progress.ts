import { performance } from 'node:perf_hooks'
import { formatDuration } from '../../lib/units.ts'
import { counted } from '../outcome/format.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import { resultsFile } from '../outcome/results-file.ts'
import type { Taken } from './measure.ts'

interface Told<Row, Sample> {
  readonly rows: readonly Row[]
  readonly seed: number
  /** Number of blocks; undefined where `budgetMs` ends the run. */
  readonly rounds: number | undefined
  readonly budgetMs?: number
  nameOf(row: Row): string
  /** What a sample has found; absent if that is not told. */
  readonly outcomeOf?: (sample: Sample) => string
  /** Whether each sample has a line in a pipe, and not only each block. */
  readonly verbose: boolean
  /** Whether only the moving line is told. */
  readonly isBrief?: boolean | undefined
  readonly startedAtMs: number
  readonly stream?: NodeJS.WriteStream
}

/**
 * Writes to stderr what is being measured and how long it will take: one line that changes on a terminal, a line for
 * each block in a pipe. If it is `verbose`, each sample has a line; a refused sample has one unless it is brief, and in brief a block
 * has one only if it has found something.
 */
export function createProgress<Row, Sample extends Taken & Pick<Judged, 'reason'>>({
  rows,
  seed,
  rounds,
  budgetMs = 0,
  nameOf,
  outcomeOf,
  verbose,
  isBrief = false,
  startedAtMs,
  stream = process.stderr,
}: Told<Row, Sample>) {
  const overwrite = stream.isTTY ? '\r\x1b[2K' : ''
  const of = rounds === undefined ? '' : `/${rounds}`
  /** Numbers of samples: of the run that are done, and of all that were taken. */
  let [done, taken] = [0, 0]
  let round = 0
  let firstAtMs: number | undefined
  /** Without a budget, it is known once there is a sample. */
  let endsAtMs = rounds === undefined ? startedAtMs + budgetMs : undefined
  let lastFound = ''
  const say = (line: string) => void stream.write(`${overwrite}${line}\n`)
  const showOnTerminal = (line: string) => void (stream.isTTY && stream.write(`${overwrite}${line}`))
  const timeLeft = () => {
    // A first block is taken whatever the budget.
    const leftMs = endsAtMs === undefined ? undefined : endsAtMs - performance.now()
    if (leftMs === undefined || (rounds === undefined && leftMs < 0)) return ''
    const atMost = rounds === undefined ? 'at most ' : ''
    return ` · ${atMost}${formatDuration(Math.max(0, leftMs))} left`
  }
  return {
    say,
    showOnTerminal,
    timeLeft,
    plan(results: Pick<SavedRun, 'environment'>): void {
      if (isBrief) return
      const length =
        rounds === undefined
          ? `blocks until every ratio is known narrowly or ${formatDuration(budgetMs)} are spent`
          : counted(rounds, 'block')
      say(`${counted(rows.length, 'sample')} a block; ${length}; order from seed ${seed}`)
      say(`results go to ${resultsFile(results)}`)
    },
    started(row: Row, block: number): void {
      firstAtMs ??= performance.now()
      showOnTerminal(`[block ${block}${of}] ${nameOf(row)} …${timeLeft()}`)
    },
    finished(row: Row, sample: Sample): void {
      taken++
      // A block is over, even if a row was refused in it for good.
      if (sample.round > round) done = (sample.round - 1) * rows.length
      round = sample.round
      if (sample.valid) done++
      const nowMs = performance.now()
      if (rounds !== undefined)
        endsAtMs = nowMs + ((rounds * rows.length - done) * (nowMs - (firstAtMs ?? nowMs))) / taken
      const outcome = sample.valid ? outcomeOf?.(sample) : `refused: ${sample.reason}`
      const told = outcome === undefined ? '' : `: ${outcome}`
      if (verbose || (!sample.valid && !isBrief))
        say(`[block ${sample.round}${of}] ${nameOf(row)}${told}${timeLeft()}`)
    },
    finishedBlock(block: number, found: string): void {
      const line = `[block ${block}${of}] ${found}${timeLeft()}`
      if (stream.isTTY && !verbose) showOnTerminal(line)
      else if (!isBrief || found !== lastFound) say(line)
      lastFound = found
    },
  }
}
