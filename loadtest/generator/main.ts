import { setPriority } from 'node:os'
import { measure } from './measure.ts'
import type { GeneratorMessage, GeneratorRequest, LoadOrder, WindowEvent } from './protocol.ts'

const URGENT = -10

/** The process of the load generator: it receives an order, replies with a measurement, and waits for the next. */
process.on('message', (request: GeneratorRequest) => {
  if (request.kind === 'measure') carryOut(request.order)
  else letOpen()
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; the load test itself ends the processes that it started.
process.on('SIGINT', () => {})

let letOpen = () => {}

async function carryOut(order: LoadOrder): Promise<void> {
  if (order.isUrgent) hurry()
  try {
    send({ kind: 'measured', measurement: await measure(order, tell) })
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message })
  }
}

/** Tells the load test of an event. Before the window opens, it waits for the permission to open it. */
async function tell(kind: WindowEvent): Promise<void> {
  send({ kind })
  if (kind !== 'opening') return
  await new Promise<void>(resolve => {
    letOpen = resolve
  })
}

const send = (message: GeneratorMessage) => process.send?.(message)

/** Raises the priority of this process; without it, every latency would contain its own wait for a core. */
function hurry(): void {
  try {
    setPriority(URGENT)
  } catch {
    // Not every user may raise priorities. A generator that sends too late is detected by its lateness.
  }
}
