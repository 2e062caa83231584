import { implementations } from '../../app/concerns.ts'
import { monotonicMs } from '../../lib/units.ts'
import { watchMachine } from '../sample/machine.ts'
import { readTreeMemory } from '../sample/memory.ts'
import { startBareProcess, startBareThread } from './bare.ts'
import type { StartName, StartReport } from './protocol.ts'
import { startPool } from './start-pool.ts'

/** So many are started one after the other, and stay: what the last costs in memory is what another would. */
const STARTED = 4

/** Each resolves, with how to end it, when what it started has answered. */
const starters: Readonly<Record<StartName, () => Promise<() => Promise<unknown>>>> = {
  thread: async () => (await startBareThread()).stop,
  process: async () => (await startBareProcess('json')).stop,
  'pool of threads': async () => (await startPool('threads', 1)).close,
  'pool of processes': async () => (await startPool('processes', 1)).close,
}

/** How long it takes to start a thread or process until it answers, and by how much memory grows with it. */
export async function measureStart(name: StartName): Promise<StartReport> {
  // A library is loaded once; what is measured is what each start takes.
  await Promise.all([implementations.compute.threads(), implementations.compute.processes()])
  const readMachine = watchMachine()
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
