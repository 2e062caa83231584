import { performance } from 'node:perf_hooks'
import { formatDuration } from '../../lib/units.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { Taken } from './measure.ts'

/** What is told of a run while it goes on. */
interface Told<Row, Sample> {
  readonly rows: readonly Row[]
  /** Number of blocks; undefined where a budget ends the run. */
  readonly rounds: number | undefined
  nameOf(row: Row): string
  /** The planned length of a sample, in any unit. */
  lengthOf(row: Row): number
  /** What a sample has found; absent if that is not told. */
  readonly outcomeOf?: (sample: Sample) => string
  /** Whether each sample has a line in a pipe, and not only each block. */
  readonly verbose: boolean
  /** Whether only what changes what the reader does is told: the moving line, and warnings. */
  readonly isBrief?: boolean | undefined
  /** The time in which the run was promised to end. */
  readonly promisedSeconds?: number | undefined
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
  rounds,
  nameOf,
  lengthOf,
  outcomeOf,
  verbose,
  isBrief = false,
  promisedSeconds,
  startedAtMs,
  stream = process.stderr,
}: Told<Row, Sample>) {
  const overwrite = stream.isTTY ? '\r\x1b[2K' : ''
  const of = rounds === undefined ? '' : `/${rounds}`
  /** Planned lengths: of a block, of what is done of the run, and of all samples that were taken. */
  const blockLength = rows.reduce((sum, row) => sum + lengthOf(row), 0)
  let [done, taken] = [0, 0]
  let round = 0
  let firstAtMs: number | undefined
  let endsAtMs = startedAtMs
  let isWarned = promisedSeconds === undefined
  const say = (line: string) => void stream.write(`${overwrite}${line}\n`)
  let lastFound = ''
  const showOnTerminal = (line: string) => void (stream.isTTY && stream.write(`${overwrite}${line}`))
  const timeLeft = () => {
    const atMost = rounds === undefined ? 'at most ' : ''
    return `${atMost}${formatDuration(Math.max(0, endsAtMs - performance.now()))} left`
  }
  /** Foresees when the run ends, and says once when that is later than was promised. */
  function foresee(atMs: number, becauseOf: string): void {
    endsAtMs = atMs
    if (isWarned || atMs - startedAtMs <= (promisedSeconds as number) * 1000) return
    isWarned = true
    const length = formatDuration(atMs - startedAtMs)
    say(`warning: this run takes about ${length}, not the ${promisedSeconds} s of --quick: ${becauseOf}`)
  }
  return {
    say,
    showOnTerminal,
    timeLeft,
    foresee,
    started(row: Row, block: number): void {
      firstAtMs ??= performance.now()
      showOnTerminal(`[block ${block}${of}] ${nameOf(row)} … ${timeLeft()}`)
    },
    finished(row: Row, sample: Sample): void {
      taken += lengthOf(row)
      // A block is over, even if a row was refused in it for good.
      if (sample.round > round) done = (sample.round - 1) * blockLength
      round = sample.round
      if (sample.valid) done += lengthOf(row)
      const nowMs = performance.now()
      const left = (rounds ?? 0) * blockLength - done
      if (rounds !== undefined) endsAtMs = nowMs + (left * (nowMs - (firstAtMs ?? nowMs))) / taken
      const outcome = sample.valid ? outcomeOf?.(sample) : `refused: ${sample.reason}`
      if (verbose || (!sample.valid && !isBrief))
        say(
          `[block ${sample.round}${of}] ${nameOf(row)}${outcome === undefined ? '' : `: ${outcome}`} · ${timeLeft()}`,
        )
      foresee(Math.max(endsAtMs, nowMs), 'the machine is slow, or samples had to be repeated')
    },
    finishedBlock(block: number, found: string): void {
      const line = `[block ${block}${of}] ${found} · ${timeLeft()}`
      if (stream.isTTY && !verbose) showOnTerminal(line)
      else if (!isBrief || found !== lastFound) say(line)
      lastFound = found
    },
  }
}
