import type { Fault } from './fault.ts'
import { groups } from './groups.ts'
import type { FaultMessage, FaultOrder, Outcome } from './protocol.ts'

/** The process of one fault: it takes an order, reports progress and the outcome, and ends. */
const { group, name, directory, seconds, seed } = JSON.parse(process.argv[2] as string) as FaultOrder
const fault = groups[group]?.find(each => each.name === name) as Fault
const tell = (message: FaultMessage) => process.send?.(message)

// The runner handles Ctrl-C.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
tell({ kind: 'outcome', outcome: await tryFault() })

async function tryFault(): Promise<Outcome> {
  const progress = (says: string) => void tell({ kind: 'progress', says })
  try {
    return { held: true, says: await fault.run(directory, seconds, { seed, progress }) }
  } catch (error) {
    return { held: false, says: (error as Error).message }
  }
}
