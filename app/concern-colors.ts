import { forEachConcern } from './concerns.ts'

/** A colour, and that of text on it. */
export interface SliceColor {
  readonly fill: string
  readonly ink: string
}

/**
 * The hues of the concerns, in the order of `concerns.ts`. People with any of the three colour deficiencies can tell them
 * apart, and each has a contrast of at least 3 to the grounds of all pages.
 */
const hues = [
  { fill: '#94600f', ink: '#ffffff' },
  { fill: '#f0641a', ink: '#14161a' },
  { fill: '#0aa57d', ink: '#14161a' },
  { fill: '#176f82', ink: '#ffffff' },
  { fill: '#5868e8', ink: '#ffffff' },
  { fill: '#c81fb4', ink: '#ffffff' },
  { fill: '#c078d8', ink: '#14161a' },
]

export const concernColors = forEachConcern((_, index) => hues[index] as SliceColor)
