import { setPriority } from 'node:os'
import { measure } from './measure.ts'
import type { GeneratorMessage, LoadOrder } from './protocol.ts'

const URGENT = -10

/** The process of the load generator: it receives an order, replies with a measurement, and waits for the next. */
process.on('message', async (order: LoadOrder) => {
  let message: GeneratorMessage
  if (order.isUrgent) hurry()
  try {
    message = { kind: 'measured', measurement: await measure(order, kind => process.send?.({ kind })) }
  } catch (error) {
    message = { kind: 'failed', message: (error as Error).message }
  }
  process.send?.(message)
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; the load test itself ends the processes that it started.
process.on('SIGINT', () => {})

/** Raises the priority of this process; without it, every latency would contain its own wait for a core. */
function hurry(): void {
  try {
    setPriority(URGENT)
  } catch {
    // Not every user may raise priorities. A generator that sends too late is detected by its lateness.
  }
}
