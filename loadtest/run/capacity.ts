import { UserError } from '../../lib/cli/user-error.ts'
import type { PlannedRun, Settings } from '../outcome/results.ts'
import { atLoads, type NamedLoad } from '../sample/compared-rows.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { median } from '../statistics/median.ts'
import { MAX_REPETITIONS } from './measure.ts'

/**
 * Measures how many requests a row answers well in a closed loop, before the run itself.
 * @returns good responses a second of each valid sample
 * @throws UserError when no sample is valid
 */
export async function measureCapacity(
  row: Row,
  samples: number,
  settings: SampleSettings,
  abort: AbortSignal,
  take: typeof takeSample = takeSample,
): Promise<number[]> {
  const goodput: number[] = []
  let reason: string | null = null
  for (let attempt = 0; goodput.length < samples && attempt < samples + MAX_REPETITIONS; attempt++) {
    abort.throwIfAborted()
    const sample = await take(row, attempt + 1, settings, abort)
    if (sample.valid) goodput.push(sample.goodput)
    else reason = sample.reason
    const outcome = sample.valid ? `${Math.round(sample.goodput)} good/s` : `refused: ${sample.reason}`
    process.stderr.write(`[capacity] ${row.name}: ${outcome}\n`)
  }
  if (goodput.length === 0)
    throw new UserError(`the capacity of ${row.name} could not be measured: ${reason}; give --rate instead`)
  return goodput
}

const CAPACITY_SAMPLES = 3

/** Plans every row at each share, in percent, of the capacity of the first, which is measured now. */
export async function planShares(
  rows: readonly Row[],
  shares: readonly number[],
  settings: Settings,
  abort: AbortSignal,
): Promise<PlannedRun> {
  const capacity = await measureCapacity(rows[0] as Row, CAPACITY_SAMPLES, settings, abort)
  const loads = shares.map((share): NamedLoad => {
    const ratePerSecond = Math.max(1, Math.round(((median(capacity) as number) * share) / 100))
    return { name: `${share} % (${ratePerSecond}/s)`, ratePerSecond }
  })
  return { rows: atLoads(rows, loads), settings: { ...settings, capacity } }
}
