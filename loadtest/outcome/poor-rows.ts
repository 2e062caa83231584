import type { Results } from './results.ts'

/** Rows of whose blocks half or fewer have a valid sample, and why. */
export const findPoorRows = ({ steps, settings: { rounds } }: Results): string[] =>
  steps.flatMap(({ name, samples }) => {
    const valid = samples.filter(sample => sample.valid).length
    if (valid > 0 && valid * 2 > rounds) return []
    const reasons = [...new Set(samples.flatMap(({ reason }) => reason ?? []))]
    return [
      `${name} has ${valid} valid samples of ${rounds} blocks${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
    ]
  })
