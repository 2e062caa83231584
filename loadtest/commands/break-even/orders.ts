import { planCells } from './cells.ts'
import { type Channel, type Form, type Order, startNames } from './protocol.ts'
import type { BreakEvenSettings } from './results.ts'

/** The forms that each channel can carry: JSON has no bytes, and only threads can transfer memory. */
const ways: readonly (readonly [Channel, Form])[] = [
  ['thread', 'string'],
  ['thread', 'records'],
  ['thread', 'bytes'],
  ['thread', 'bytes, transferred'],
  ['process, json', 'string'],
  ['process, json', 'records'],
  ['process, advanced', 'string'],
  ['process, advanced', 'records'],
  ['process, advanced', 'bytes'],
]

/** Plans everything that is measured once in every round, each in a process of its own. */
export function planOrders(settings: BreakEvenSettings): Order[] {
  const { threads, windowMs: durationMs, iterationsPerMicro, payloadsBytes, roundTripMs } = settings
  const cells = planCells(settings).map(
    cell => ({ kind: 'cell', cell, threads, durationMs, iterationsPerMicro, roundTripMs }) as const,
  )
  const hops = ways.flatMap(([channel, form]) =>
    payloadsBytes.map(
      payloadBytes =>
        ({ kind: 'hop', hop: { channel, form, payloadBytes }, durationMs: durationMs / 2 }) as const,
    ),
  )
  const starts = startNames.map(name => ({ kind: 'start', name }) as const)
  return [...cells, ...hops, ...starts, { kind: 'idle', durationMs }]
}
