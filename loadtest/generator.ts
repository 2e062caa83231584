import { measure } from './measure.ts'
import type { GeneratorMessage, LoadOrder } from './protocol.ts'

/** The load generator's process: takes one order, answers one measurement, ends. */
process.once('message', async (order: LoadOrder) => {
  let message: GeneratorMessage
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
