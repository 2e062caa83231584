import { implementations } from '../../../app/concerns.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { watchMachine } from '../../sample/machine.ts'
import { readTreeMemory } from '../../sample/memory.ts'
import { startBareProcess, startBareThread } from './bare.ts'
import type { StartName, StartReport } from './protocol.ts'
import { startPool } from './start-pool.ts'

/**
 * Number of threads or processes that are started one after the other and stay, so that the growth in memory is that
 * of one more.
 */
const STARTED = 4

/**
 * Each function starts a thread, a process or a pool. It resolves, once that has answered, to a function that stops
 * it.
 */
const starters: Readonly<Record<StartName, () => Promise<() => Promise<unknown>>>> = {
  thread: async () => (await startBareThread()).stop,
  process: async () => (await startBareProcess()).stop,
  'pool of threads': async () => (await startPool('threads', 1)).close,
  'pool of processes': async () => (await startPool('processes', 1)).close,
}

/** Measures how long a thread or process takes from its start to its first answer, and how much memory it adds. */
export async function measureStart(name: StartName): Promise<StartReport> {
  // Libraries are loaded before, because each is loaded only once; the measurement is of the starts alone.
  await Promise.all([implementations.compute.threads(), implementations.compute.processes()])
  const readMachine = watchMachine([process.pid])
  const before = readTreeMemory()
  const started: { startMs: number; stop: () => Promise<unknown> }[] = []
  for (let index = 0; index < STARTED; index++) {
    const calledAtMs = monotonicMs()
    const stop = await starters[name]()
    started.push({ startMs: monotonicMs() - calledAtMs, stop })
  }
  const after = readTreeMemory()
  const machine = readMachine()
  await Promise.all(started.map(({ stop }) => stop()))
  return {
    startMs: started.map(({ startMs }) => startMs),
    memory: before &&
      after && {
        proportionalBytes: (after.proportionalBytes - before.proportionalBytes) / STARTED,
        residentBytes: (after.residentBytes - before.residentBytes) / STARTED,
      },
    machine,
  }
}
