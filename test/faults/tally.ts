/** Counts one more of what has this name. */
export function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}
