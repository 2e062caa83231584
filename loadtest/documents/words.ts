import type { Median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'

/** Fractions that people say, besides one of N. */
const SAID: readonly (readonly [value: number, words: string])[] = [
  [2 / 5, 'two fifths'],
  [1 / 2, 'half'],
  [3 / 5, 'three fifths'],
  [2 / 3, 'two thirds'],
  [3 / 4, 'three quarters'],
  [4 / 5, 'four fifths'],
  [9 / 10, 'nine tenths'],
  [19 / 20, 'nineteen twentieths'],
]
const ORDINALS =
  'third quarter fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

/** An interval whose ends differ by this factor is said as an estimate; by {@link VAGUE}, both its ends are said. */
const ROUGH = 1.25
const VAGUE = 2
/** A share that nearly vanishes: an estimate whose lower end is below this is said by its upper end only. */
const LITTLE = 0.05

/** A share in words: `an eighteenth`, `two thirds`; a number where no common fraction is near. */
function sayFraction(share: number): string {
  const parts = Math.round(1 / share)
  const candidates = [...SAID, ...(parts >= 3 ? [[1 / parts, sayPart(parts)] as const] : [])]
  const distance = ([value]: readonly [number, string]) => Math.abs(Math.log(value / share))
  return candidates.toSorted((one, other) => distance(one) - distance(other))[0]?.[1] as string
}

function sayPart(parts: number): string {
  const ordinal = ORDINALS[parts - 3]
  if (ordinal === undefined) return `${(100 / parts).toFixed(parts > 100 ? 1 : 0)} %`
  return `${ordinal.startsWith('e') ? 'an' : 'a'} ${ordinal}`
}

/** How many times as much: two digits, and more near 1. */
const times = (ratio: number): string => `${ratio >= 10 ? Math.round(ratio) : Number(ratio.toFixed(1))} times`

/** `an eighteenth` or `1.5 times`, with `about` or as two ends where the interval is wide. */
function sayWithInterval(
  value: number,
  ends: readonly [number, number],
  say: (of: number) => string,
): string {
  const [low, high] = ends
  const width = high / low
  const [from, to] = [say(low), say(high)]
  if (from === to || !Number.isFinite(width) || width <= ROUGH) return say(value)
  if (width <= VAGUE) return `about ${say(value)}`
  return low < LITTLE ? `up to ${to}` : `${from} to ${to}`
}

const endsOf = ({ ci95, ratio }: Ratio) => ci95 ?? ([ratio ?? 0, ratio ?? 0] as const)

/** The ways to say a ratio. */
const ratioForms = {
  /** What is left or has become: `an eighteenth`, `1.5 times`. */
  part(ratio: Ratio) {
    return sayWithInterval(ratio.ratio as number, endsOf(ratio), each =>
      each < 0.97 ? sayFraction(each) : times(each),
    )
  },
  /** By how much it has changed: `four fifths less`, `a third more`. */
  change(ratio: Ratio) {
    const value = ratio.ratio as number
    const ends = endsOf(ratio)
    if (value < 1) {
      const [low, high] = [1 - ends[1], 1 - ends[0]]
      return `${sayWithInterval(1 - value, [low, high], sayFraction)} less`
    }
    if (value >= 2) return `${sayWithInterval(value, ends, times)} as much`
    return `${sayWithInterval(value - 1, [ends[0] - 1, ends[1] - 1], sayFraction)} more`
  },
} as const

/** The ratio in words, or that no difference was found: then, no other words are honest. */
export function sayRatio(ratio: Ratio, form = 'part'): string {
  if (ratio.verdict === 'inconclusive') return 'no difference found'
  if (ratio.verdict === 'equivalent') return 'no difference'
  const say = ratioForms[form as keyof typeof ratioForms]
  if (!say) throw new RangeError(`there is no form "${form}" of a ratio`)
  return say(ratio)
}

/** A number with as many digits as people need. */
const digits = (value: number, unit: string): string => {
  if (Math.abs(value) >= 10 || value === 0 || unit === '%') return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 1 ? 1 : 2)
}

/** A value with its unit. */
export function sayMedian({ median }: Pick<Median, 'median'>, { unit, factor = 1 }: Unit): string {
  if (median === null) throw new RangeError('nothing was measured')
  return `${digits(median * factor, unit)}${unit && ` ${unit}`}`
}

export interface Unit {
  readonly unit: string
  readonly factor?: number
}

/** The class of a finding that is said in words: it turns when a difference appears, vanishes or changes its direction. */
export function classOf(words: string): 'none' | 'less' | 'more' {
  if (words.startsWith('no difference')) return 'none'
  return /\bmore$|\btimes\b/.test(words) && !/\bless$/.test(words) ? 'more' : 'less'
}
