import { sumCounts } from '../lib/processes/counts.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import type { RunningProcess } from '../lib/processes/start-process.ts'

/** Stops the processes one after the other, because a process sends data to a later one when it flushes. */
export async function stopAll(processes: readonly RunningProcess[]): Promise<Counts> {
  const counts: Counts[] = []
  // A process that was stopped with SIGSTOP cannot react, and other processes would wait for it.
  for (const process of processes) process.signal('SIGCONT')
  for (const process of processes) counts.push(await process.stop())
  return sumCounts(counts)
}
