import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import { counted } from '../outcome/format.ts'
import type { Calibration } from '../outcome/results.ts'
import type { Settings } from '../outcome/settings.ts'
import { poolOf } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { median } from '../statistics/median.ts'
import { MAX_REPETITIONS } from './repetitions.ts'

export interface CalibrationOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly settings: Settings
  readonly abort: AbortSignal
  readonly say: (line: string) => void
}

const FEW_CORES = 6

/** The pool sizes to try on this many cores: every size on a machine with few cores, some sizes otherwise. */
export const poolSizes = (cores: number): number[] =>
  cores <= FEW_CORES
    ? Array.from({ length: cores }, (_, index) => index + 1)
    : [0.25, 0.5, 0.75].map(share => Math.round(cores * share)).concat(cores - 1, cores)

/**
 * Measures the last step with pools of each size, by turns, and chooses the best size. A single size is chosen
 * without being measured.
 * @throws UserError when no sample of any size is valid
 */
export async function calibrate(
  { sizes, rounds, settings, abort, say }: CalibrationOptions,
  take: typeof takeSample = takeSample,
): Promise<Calibration> {
  const [only] = sizes
  if (sizes.length === 1) return { sizes: [], chosen: only as number }
  const livePort = await findFreePort()
  const taken = sizes.map(threads => ({ threads, goodput: [] as number[] }))
  let reason: string | null = null
  for (let round = 1; round <= rounds; round++) {
    for (const { threads, goodput } of taken) {
      for (let attempt = 0; attempt <= MAX_REPETITIONS && goodput.length < round; attempt++) {
        abort.throwIfAborted()
        const row = poolOf(threads)
        const sample = await take(row, round, settings, abort, livePort)
        if (sample.valid) goodput.push(sample.goodput)
        else reason = sample.reason
        say(`[calibration] ${row.name}: ${describeOutcome(sample)}\n`)
      }
    }
  }
  const [best] = taken.filter(({ goodput }) => goodput.length > 0).toSorted(byGoodput)
  if (!best) throw new UserError(`no size of a pool could be measured: ${reason}`)
  return { sizes: taken, chosen: best.threads }
}

/** Describes the outcome of a sample that is taken before a run. */
export const describeOutcome = ({ valid, goodput, reason }: Sample): string =>
  valid ? `${Math.round(goodput)} good/s` : `refused: ${reason}`

const byGoodput = (one: Calibration['sizes'][number], other: Calibration['sizes'][number]) =>
  (median(other.goodput) as number) - (median(one.goodput) as number)

/** Says in a sentence which size was chosen, and why. */
export function describeCalibration({ sizes, chosen }: Calibration): string {
  const pools = `Pools have ${counted(chosen, 'thread')}`
  if (sizes.length === 0) return `${pools}, as was asked for.`
  const found = sizes.map(({ threads, goodput }) => `${threads}: ${median(goodput)?.toFixed(0) ?? 'refused'}`)
  return `${pools}, the size with the best goodput (${found.join(', ')} good responses a second).`
}
