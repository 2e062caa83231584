import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type CaseName, cases } from './apm-cases.ts'

const WARM_UP_MS = 300
/** Between turns of the event loop: exporters need them. */
const CHUNK = 5000

const { name, durationMs } = workerData as { readonly name: CaseName; readonly durationMs: number }
const record = cases[name]()
await recordFor(WARM_UP_MS)
const before = process.threadCpuUsage()
const records = await recordFor(durationMs)
const { user, system } = process.threadCpuUsage(before)
parentPort?.postMessage(((user + system) * 1000) / records)
process.exit()

/** @returns how often it recorded */
async function recordFor(limitMs: number): Promise<number> {
  const until = performance.now() + limitMs
  let count = 0
  while (performance.now() < until) {
    for (let index = 0; index < CHUNK; index++) record()
    count += CHUNK
    await turn()
  }
  return count
}
