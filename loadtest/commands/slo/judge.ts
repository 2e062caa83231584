import type { Sample } from '../../sample/sample.ts'
import { describeErrors, NO_RESPONSE, validityLimits } from '../../sample/validity.ts'
import type { Trial } from './search.ts'

/** A request that fails is too late, and 1 of 100 may be. */
const MOST_FAILED = 0.01

/**
 * Decides whether the limit held in a sample: at least 99 of 100 requests were answered well, and the p99 of these is
 * within the limit. Latency counts from the scheduled time, so a late load generator only makes it longer.
 */
export function judgeTrial(sample: Sample, ratePerSecond: number, limitMs: number): Trial {
  const { responses, errors, latencyMs, latenessMs, generatorUtilization } = sample
  if (!isFinding(sample)) return { ratePerSecond, outcome: 'refused', excess: Number.NaN }
  const failed = errors / (errors + responses)
  const tooManyFailed = responses === 0 || failed > MOST_FAILED
  const excess = tooManyFailed ? Number.POSITIVE_INFINITY : Math.log(latencyMs.p99 / limitMs)
  if (excess <= 0) return { ratePerSecond, outcome: 'holds', excess }
  const ownMs = latencyMs.p99 - (latenessMs?.p99 ?? 0)
  const isOwn = generatorUtilization <= validityLimits.openGeneratorUtilization && ownMs > limitMs
  return { ratePerSecond, outcome: !isLimited(sample) || isOwn ? 'fails' : 'limited', excess }
}

/**
 * Whether a sample is valid, or is refused for nothing but failed requests or the load generator. If several reasons
 * apply, `reason` is the one that makes a sample wrong on any machine, and `noise` still names the generator.
 */
const isFinding = (sample: Sample) =>
  sample.valid ||
  sample.reason === NO_RESPONSE ||
  sample.reason === describeErrors(sample.errors) ||
  (isLimited(sample) && sample.reason === sample.noise)

const isLimited = ({ latenessMs, generatorUtilization }: Sample) =>
  generatorUtilization > validityLimits.openGeneratorUtilization ||
  (latenessMs?.p99 ?? 0) > validityLimits.latenessMs
