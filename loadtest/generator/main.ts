import { setPriority } from 'node:os'
import { measure } from './measure.ts'
import type { GeneratorMessage, LoadOrder } from './protocol.ts'

const URGENT = -10

/** The load generator's process: takes one order, answers one measurement, ends. */
process.once('message', async (order: LoadOrder) => {
  let message: GeneratorMessage
  if (order.isUrgent) hurry()
  try {
    message = { kind: 'measured', measurement: await measure(order, kind => process.send?.({ kind })) }
  } catch (error) {
    message = { kind: 'failed', message: (error as Error).message }
  }
  process.send?.(message, () => process.exit())
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; the load test ends its own.
process.on('SIGINT', () => {})

/** Otherwise its own wait for a core would be part of every latency. */
function hurry(): void {
  try {
    setPriority(URGENT)
  } catch {
    // Not everyone may; a generator that is late is found out by when it sends.
  }
}
