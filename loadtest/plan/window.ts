import type { Load } from '../generator/protocol.ts'
import { HEAT_SHARE } from '../sample/generate-load.ts'
import type { SimulatedWindow } from './simulate.ts'

/** The window of a sample. An open loop begins only after a closed one has heated the stack. */
export const windowOfSample = (
  load: Load,
  warmupSeconds: number,
  durationSeconds: number,
): SimulatedWindow => ({
  warmupMicros: warmupSeconds * 1e6 * (load.kind === 'closed' ? 1 : 1 - HEAT_SHARE),
  durationMicros: durationSeconds * 1e6,
})

/** An open loop that nobody has measured is simulated for this many requests, but for a time between these two. */
const REQUESTS = 6000
const LEAST_MICROS = 2e6
const MOST_MICROS = 60e6

/** The window of a load that nobody has measured. */
export const usualWindow = (load: Load): SimulatedWindow => ({
  warmupMicros: 1e6,
  durationMicros:
    load.kind === 'closed'
      ? 2 * LEAST_MICROS
      : Math.min(MOST_MICROS, Math.max(LEAST_MICROS, (REQUESTS / load.ratePerSecond) * 1e6)),
})
