/** Conversions between units are in this file only; everywhere else the unit is part of the name. */

const MS_PER_UNIT = { ms: 1, s: 1000, m: 60_000 } as const

/** Timers of Node.js with a longer time fire at once. */
export const MAX_DURATION_MS = 2 ** 31 - 1

/**
 * The milliseconds of a duration such as `5ms`, `1.5s` or `10m`; undefined when the text is not a duration or more than
 * 24 days.
 */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text)
  const durationMs = match ? Number(match[1]) * MS_PER_UNIT[match[2] as keyof typeof MS_PER_UNIT] : Number.NaN
  return durationMs <= MAX_DURATION_MS ? durationMs : undefined
}

/** A duration for people: `7 s`, `1 min 20 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A share of a whole for people: `12 %`. */
export const percent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`

export const bytesToMiB = (bytes: number): number => bytes / 2 ** 20

/** The monotonic clock in milliseconds, the same in every thread and process of one machine. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The time of a timer that is to fire at a deadline by the monotonic clock, as far as a timer of Node.js can wait. */
export const msUntil = (deadline: number): number =>
  Math.min(MAX_DURATION_MS, Math.max(1, deadline - monotonicMs()))
