import { monotonicMs } from '../../../lib/units.ts'
import { watchMachine } from '../../sample/machine.ts'
import { type Bare, type Parcel, startBareProcess, startBareThread } from './bare.ts'
import { meterMainThread } from './main-thread.ts'
import type { Channel, Form, Hop, HopOrder, HopReport } from './protocol.ts'

const WARMUP_MS = 50
/** Number of messages that are under way at once. */
const WINDOW = 16

const channels: Readonly<Record<Channel, () => Promise<Bare>>> = {
  thread: startBareThread,
  'process, json': () => startBareProcess('json'),
  'process, advanced': () => startBareProcess('advanced'),
}

/** Makes payloads of the same number of bytes: as plain text, as plain data, and as binary data. */
const forms: Readonly<Record<Form, (sizeBytes: number) => unknown>> = {
  string: sizeBytes => 'x'.repeat(sizeBytes),
  records: sizeBytes => makeRecords(sizeBytes),
  bytes: sizeBytes => new Uint8Array(sizeBytes),
  'bytes, transferred': sizeBytes => new Uint8Array(sizeBytes),
}

/** Measures the cost of sending messages to a bare thread or process and receiving them back. */
export async function measureHop({ hop, durationMs }: HopOrder, abort: AbortSignal): Promise<HopReport> {
  const bare = await channels[hop.channel]()
  try {
    await exchange(bare, makeParcels(hop), WARMUP_MS, abort)
    const readMachine = watchMachine([process.pid])
    const parcels = makeParcels(hop)
    const { result, cpuMicros } = await meterMainThread(() => exchange(bare, parcels, durationMs, abort))
    const { roundTrips, tookMs } = result
    return {
      roundTripsPerSecond: (roundTrips / tookMs) * 1000,
      mainThreadMicros: cpuMicros / roundTrips,
      machine: readMachine(),
    }
  } finally {
    await bare.stop()
  }
}

const makeParcels = ({ form, payloadBytes }: Hop): Parcel[] =>
  Array.from({ length: WINDOW }, () => ({
    payload: forms[form](payloadBytes),
    transferred: form === 'bytes, transferred',
  }))

/** Sends each parcel again when it comes back, until the time is up and all parcels are back. */
function exchange(bare: Bare, parcels: readonly Parcel[], durationMs: number, abort: AbortSignal) {
  const startedAtMs = monotonicMs()
  let roundTrips = 0
  let underWay = parcels.length
  return new Promise<{ roundTrips: number; tookMs: number }>(resolve => {
    bare.onEcho(parcel => {
      roundTrips++
      const tookMs = monotonicMs() - startedAtMs
      if (tookMs < durationMs && !abort.aborted) bare.send(parcel)
      else if (--underWay === 0) resolve({ roundTrips, tookMs })
    })
    for (const parcel of parcels) bare.send(parcel)
  })
}

/** Makes an array of records whose JSON has at least this many bytes. */
function makeRecords(sizeBytes: number): readonly object[] {
  const record = { id: 4711, status: 'shipped', total: 99.5 }
  const count = Math.ceil(sizeBytes / (JSON.stringify(record).length + 1))
  return Array.from({ length: count }, (_, index) => ({ ...record, id: 4711 + (index % 1000) }))
}
