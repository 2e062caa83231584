import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * The measured function, created anew for every sample and then called again and again. Its results are added up, so that V8
 * cannot optimize the calls away.
 */
export type Case = () => (() => unknown) | Promise<() => unknown>

interface ThreadData {
  /** Path of the file that exports `cases`, an object of functions by name. */
  readonly file: string
  readonly name: string
  readonly durationMs: number
}

const WARM_UP_MS = 300
/** Time between turns of the event loop, which exporters need. */
const CHUNK_MS = 0.2

/** The part of a bench that takes each sample in a fresh thread. @param file of this folder, which exports the cases */
export const inThreads = (file: string) => ({
  take: (name: string, durationMs: number) =>
    measureInThread({ file: join(import.meta.dirname, file), name, durationMs }),
})

/** @returns nanoseconds of the thread's CPU time a call */
async function measureInThread(data: ThreadData): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const exited = once(worker, 'exit')
  const [{ nanos }] = await once(worker, 'message')
  await exited
  return nanos
}

async function runCase({ file, name, durationMs }: ThreadData): Promise<void> {
  const { cases } = (await import(pathToFileURL(file).href)) as { cases: Record<string, Case> }
  const call = await (cases[name] as Case)()
  await callFor(call, WARM_UP_MS)
  const before = process.threadCpuUsage()
  const { calls, made } = await callFor(call, durationMs)
  const { user, system } = process.threadCpuUsage(before)
  parentPort?.postMessage({ nanos: ((user + system) * 1000) / calls, made })
  process.exit()
}

async function callFor(
  call: Awaited<ReturnType<Case>>,
  limitMs: number,
): Promise<{ calls: number; made: number }> {
  const until = performance.now() + limitMs
  let calls = 0
  let made = 0
  for (let chunk = 1, nowMs = performance.now(); nowMs < until; ) {
    for (let index = 0; index < chunk; index++) made += Number(call() ?? 0)
    calls += chunk
    const endMs = performance.now()
    if (endMs - nowMs < CHUNK_MS) chunk *= 2
    await turn()
    nowMs = performance.now()
  }
  return { calls, made }
}

if (!isMainThread) await runCase(workerData)
