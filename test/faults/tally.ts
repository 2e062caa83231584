/** Adds one to the count of this name. */
export function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}

/** A tally as text, such as `3 × 503, 1 × 502`; `none` if nothing was counted. */
export const renderTally = (tally: Readonly<Record<string, number>>): string =>
  Object.entries(tally)
    .map(([name, times]) => `${times} × ${name}`)
    .join(', ') || 'none'
