import { counted } from './format.ts'
import type { Results } from './results.ts'

/**
 * Names the rows that were measured and have a valid sample in half of their blocks or fewer. For results that accept noise: the rows that
 * have none.
 */
export const findPoorRows = ({ steps, settings: { rounds, acceptNoise } }: Results): string[] =>
  steps.flatMap(({ name, samples, didNotRun }) => {
    if (didNotRun !== undefined) return []
    const valid = samples.filter(sample => sample.valid).length
    if (valid > 0 && (acceptNoise || valid * 2 > rounds)) return []
    return [`${name} (${counted(valid, 'valid sample')} in ${counted(rounds, 'block')})`]
  })
