import { wordOf } from '../lib/verdict.ts'
import type { Change, Comparison } from './stage-messages.ts'

/** The bounds of an interval, both with as many digits. Near 1 there are more, because 1.0 would mean no change. */
function boundsOf([low, high]: readonly [number, number]): readonly [string, string] {
  const digits = low < 1.01 ? 3 : low < 2 ? 2 : low < 10 ? 1 : 0
  return [low.toFixed(digits), high.toFixed(digits)]
}

interface Said {
  readonly text: string
  readonly verdict: Change['verdict'] | 'none'
}

const unknown = (text: string): Said => ({ text, verdict: 'none' })

/** How a value compares with an earlier one, as its interval: `4.7–5.1× less`, `the same`, `cannot tell`. */
export function describeChange({ ratio, ci95, verdict }: Change): Said {
  if (ratio === null || ci95 === null) return unknown('cannot tell yet')
  const text = wordOf(verdict, 'lower')
  if (verdict === 'inconclusive' || verdict === 'equivalent') return { text, verdict }
  const [low, high] = boundsOf(ratio < 1 ? [1 / ci95[1], 1 / ci95[0]] : ci95)
  return { text: `${low}–${high}× ${ratio < 1 ? 'less' : 'more'}`, verdict }
}

/** A change with the step that it is against: `4.7–5.1× less than at step 0`. */
export function sayAgainst({ text, verdict }: Said, step: number): string {
  if (verdict === 'equivalent') return `${text} as at step ${step}`
  return `${text}${verdict === 'faster' || verdict === 'slower' ? ' than at' : ', against'} step ${step}`
}

/** The verdict on a step in a few words, for the ladder. @param before number of the step before */
export function describeComparison(comparison: Comparison | undefined, before: number | undefined): Said {
  if (!comparison || comparison.blocks === 0) return unknown('not shown')
  if (before === undefined) return unknown('the beginning')
  const { cost, drift } = comparison
  if (cost.ratio === null) return unknown(`show ${before} too`)
  if (drift === null) return describeChange(cost)
  const percent = Math.max(1, Math.round(Math.abs(drift) * 100))
  return unknown(`drifts: ${percent} % ${drift < 0 ? 'less' : 'more'}`)
}

/** What the verdict on a step means, as a sentence; empty where there is nothing to compare with. */
export function explainComparison(comparison: Comparison | undefined, before: number | undefined): Said {
  if (!comparison || comparison.blocks === 0 || before === undefined) return unknown('')
  const { text, verdict } = describeComparison(comparison, before)
  const { ratio, ci95 } = comparison.cost
  if (ratio === null) return unknown(`Show step ${before} too, to compare.`)
  if (comparison.drift !== null) return unknown(`The cost of a request still ${text}: wait.`)
  const subject = 'A request costs the main thread'
  if (ci95 === null) return unknown(`${subject} … ${text}, wait a few seconds.`)
  const interval = `${boundsOf(ci95).join(' to ')} times the cost of step ${before}.`
  if (verdict === 'inconclusive') return { text: `Cannot tell: ${interval} More seconds could.`, verdict }
  if (verdict === 'equivalent') return { text: `The same: ${interval}`, verdict }
  return { text: `${subject} ${sayAgainst({ text, verdict }, before)}.`, verdict }
}
