import { watchMachine } from '../../sample/machine.ts'
import { measureCell } from './measure-cell.ts'
import { measureHop } from './measure-hop.ts'
import { measureStart } from './measure-start.ts'
import { startNeighbours } from './neighbours.ts'
import type { IdleOrder, IdleReport, Order, Reply, Reports } from './protocol.ts'

/** The measured process: it receives one order, replies with one report, and ends. */
const controller = new AbortController()

process.once('message', async (order: Order) => {
  let reply: Reply
  try {
    reply = { kind: 'measured', report: await measure(order, controller.signal) }
  } catch (error) {
    reply = { kind: 'failed', message: (error as Error).stack ?? String(error) }
  }
  if (process.connected) process.send?.(reply, () => process.exit())
  else process.exit()
})
// The measurement ends first, so that its threads and processes are closed in order.
process.on('disconnect', () => controller.abort())
// Ctrl-C reaches every process of a terminal; the load test itself ends the processes that it started.
process.on('SIGINT', () => {})

async function measure(order: Order, abort: AbortSignal): Promise<Reports[Order['kind']]> {
  switch (order.kind) {
    case 'cell':
      return measureCell(order, abort)
    case 'hop':
      return measureHop(order, abort)
    case 'start':
      return measureStart(order.name)
    case 'idle':
      return measureIdle(order)
    default:
      throw new TypeError(`unknown order ${JSON.stringify(order)}`)
  }
}

async function measureIdle({ durationMs }: IdleOrder): Promise<IdleReport> {
  const neighbours = startNeighbours()
  const readMachine = watchMachine([process.pid])
  const neighbourDelayMs = await neighbours.measureDelay(durationMs)
  const machine = readMachine()
  await neighbours.stop()
  return { neighbourDelayMs, machine }
}
