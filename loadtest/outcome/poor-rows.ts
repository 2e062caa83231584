import { counted } from './format.ts'
import type { Results } from './results.ts'

/**
 * Names the measured rows that have a valid sample in at most half of their blocks or, if the run accepts noise, in none.
 */
export const findPoorRows = ({ steps, settings: { rounds, acceptNoise } }: Results): string[] =>
  steps.flatMap(({ name, samples, didNotRun }) => {
    if (didNotRun !== undefined) return []
    const valid = samples.filter(sample => sample.valid).length
    if (valid > 0 && (acceptNoise || valid * 2 > rounds)) return []
    return [`${name} (${counted(valid, 'valid sample')} in ${counted(rounds, 'block')})`]
  })
