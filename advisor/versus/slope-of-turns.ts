import { fitSlope, type Slope } from '../../loadtest/statistics/control-variate.ts'
import { mean, standardError } from '../../loadtest/statistics/estimate.ts'
import { type Both, type Figures, names, type Turn } from './running-side.ts'

/** More turns than a block has. */
const MOST_TURNS = 100_000
/** Fewer blocks do not tell how much they scatter. */
const LEAST_BLOCKS = 3

/**
 * How main-thread cost follows the cost of the load generator from turn to turn. A block has some forty turns, so this slope is
 * known long before that of whole blocks is. Its scatter is that of blocks once the slope is taken out, because two processes
 * may differ for longer than a turn.
 * @returns null if the turns do not tell
 */
export function slopeOfTurns(blocks: readonly Both<Figures>[]): Slope | null {
  if (blocks.length < LEAST_BLOCKS) return null
  const logsOf = (key: 'mainMicros' | 'generatorMicros') =>
    names.map(
      side => new Map(blocks.flatMap((block, index) => centred(block[side].turns, key, index * MOST_TURNS))),
    )
  const fitted = fitSlope(logsOf('mainMicros'), logsOf('generatorMicros'))
  if (!fitted) return null
  const differences = blocks.map(({ before, after }) => {
    const ofMain = Math.log((after.mainThreadMicros ?? Number.NaN) / (before.mainThreadMicros ?? Number.NaN))
    return ofMain - fitted.slope * Math.log(after.generatorMicros / before.generatorMicros)
  })
  // The variance of a difference is twice that of one side.
  const variance = (standardError(differences) ** 2 * differences.length) / 2
  return { ...fitted, variance, degrees: differences.length - 1, cost: 0 }
}

/** The logarithms of what a response cost in each turn, less their mean: what one process costs by itself is not the noise of turns. */
function centred(turns: readonly Turn[], key: 'mainMicros' | 'generatorMicros', firstPlace: number) {
  const logs = turns.flatMap((turn, place) => {
    const log = Math.log(turn[key] / turn.responses)
    return Number.isFinite(log) ? [[firstPlace + place, log] as const] : []
  })
  const middle = mean(logs.map(([, log]) => log))
  return logs.map(([place, log]) => [place, log - middle] as const)
}
