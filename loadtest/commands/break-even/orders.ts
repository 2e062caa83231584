import { planCells } from './cells.ts'
import { channels, type Order, startNames } from './protocol.ts'
import type { BreakEvenSettings } from './results.ts'

/** Plans everything that is measured once in every round, each in a process of its own. */
export function planOrders(settings: BreakEvenSettings): Order[] {
  const { task, threads, windowMs: durationMs, iterationsPerMicro, payloadsBytes, roundTripMs } = settings
  const cells = planCells(settings).map(
    cell => ({ kind: 'cell', task, cell, threads, durationMs, iterationsPerMicro, roundTripMs }) as const,
  )
  const payloadBytes = payloadsBytes[0] ?? 0
  const hops = channels.map(
    channel => ({ kind: 'hop', hop: { channel, payloadBytes }, durationMs: durationMs / 2 }) as const,
  )
  const starts = startNames.map(name => ({ kind: 'start', name }) as const)
  return [...cells, ...hops, ...starts, { kind: 'idle', durationMs }]
}
