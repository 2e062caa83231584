import type { Results } from './results.ts'

/** Names the rows that have a valid sample in half of their blocks or fewer, each with the reasons. */
export const findPoorRows = ({ steps, settings: { rounds } }: Results): string[] =>
  steps.flatMap(({ name, samples }) => {
    const valid = samples.filter(sample => sample.valid).length
    if (valid > 0 && valid * 2 > rounds) return []
    const reasons = [...new Set(samples.flatMap(({ reason }) => reason ?? []))]
    return [
      `${name} has ${valid} valid samples of ${rounds} blocks${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
    ]
  })
