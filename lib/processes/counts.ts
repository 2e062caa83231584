import { type Counts, type Signal, type SignalCounts, signals } from './protocol.ts'

/** The sum of the counts of several processes. */
export const sumCounts = (counts: readonly Counts[]): Counts =>
  Object.fromEntries(signals.map(signal => [signal, sumOf(counts, signal)]))

function sumOf(counts: readonly Counts[], signal: Signal): SignalCounts {
  const sum = (key: keyof SignalCounts) =>
    counts.reduce((total, each) => total + (each[signal]?.[key] ?? 0), 0)
  return {
    emitted: sum('emitted'),
    delivered: sum('delivered'),
    dropped: sum('dropped'),
    rejected: sum('rejected'),
  }
}
