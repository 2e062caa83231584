import { monotonicMs } from '../../../lib/units.ts'
import { watchMachine } from '../../sample/machine.ts'
import { type Bare, startBareProcess, startBareThread } from './bare.ts'
import type { Channel, HopOrder, HopReport } from './protocol.ts'

const WARMUP_MS = 50
/** Number of messages that are under way at once. */
const WINDOW = 16

const starters: Readonly<Record<Channel, () => Promise<Bare>>> = {
  thread: startBareThread,
  process: startBareProcess,
}

/** Measures how many messages a second a bare thread or process sends back. */
export async function measureHop({ hop, durationMs }: HopOrder, abort: AbortSignal): Promise<HopReport> {
  const bare = await starters[hop.channel]()
  const payload = 'x'.repeat(hop.payloadBytes)
  try {
    await exchange(bare, payload, WARMUP_MS, abort)
    const readMachine = watchMachine([process.pid])
    const { roundTrips, tookMs } = await exchange(bare, payload, durationMs, abort)
    return {
      roundTripsPerSecond: (roundTrips / tookMs) * 1000,
      machine: readMachine(),
    }
  } finally {
    await bare.stop()
  }
}

/** Sends the payload again whenever it comes back, until the time is up and all messages are back. */
function exchange(bare: Bare, payload: string, durationMs: number, abort: AbortSignal) {
  const startedAtMs = monotonicMs()
  let roundTrips = 0
  let underWay = WINDOW
  return new Promise<{ roundTrips: number; tookMs: number }>(resolve => {
    bare.onEcho(() => {
      roundTrips++
      const tookMs = monotonicMs() - startedAtMs
      if (tookMs < durationMs && !abort.aborted) bare.send(payload)
      else if (--underWay === 0) resolve({ roundTrips, tookMs })
    })
    for (let sent = 0; sent < WINDOW; sent++) bare.send(payload)
  })
}
