import type { Settings } from './settings.ts'

/** A difference between two runs. */
export interface Difference {
  readonly what: string
  readonly one: unknown
  readonly other: unknown
}

/** @returns one difference, or none if both values are the same */
export const differ = (what: string, one: unknown, other: unknown): Difference[] =>
  one === other ? [] : [{ what, one, other }]

/** The settings that decide how a sample is taken, each with its value in results that lack it. */
const ways = {
  scenario: null,
  connections: null,
  threads: null,
  warmupSeconds: null,
  durationSeconds: null,
  beside: null,
  besideRate: null,
  cores: null,
  pin: false,
  keepsStacks: false,
} as const satisfies Partial<Record<keyof Settings, unknown>>

/** How the samples of two runs were taken in different ways, so that their figures differ for that reason alone. */
export const findDifferentWays = (one: Settings, other: Settings): Difference[] =>
  Object.entries(ways).flatMap(([key, usual]) => {
    const valueIn = (settings: Settings) => String(settings[key as keyof typeof ways] ?? usual)
    return differ(key, valueIn(one), valueIn(other))
  })
