import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Compute } from '../../../app/concerns/compute/contract.ts'
import { createCompute } from '../../../app/concerns/compute/threads.ts'
import { RequestContext } from '../../../app/context.ts'
import type { Problem } from '../../../app/problems.ts'
import { loggerOf } from '../../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { type TaskName, taskNames, tasks, taskTable } from '../../../workers/tasks.ts'
import { expectPoints } from '../point.fixture.ts'

const FILE = 'app/concerns/compute/threads.ts'
const JOIN = 'workers/main-thread/queued-threads.ts'
const REQUESTS = 50
/** A long task: a quarter of a million subsets. */
const LONG = { size: 18, seed: 1 }
/** A task in a thread costs the main thread little, so half is a wide margin. */
const MOST_SHARE = 0.5

const newContext = () => new RequestContext('a-request', monotonicMs() + 60_000)

/** Runs a task of a new request, or of the given one. */
const run = async (compute: Compute, input: typeof LONG, context = newContext()) =>
  (await compute.run(context, { name: 'subsetSum', input }))[0]?.output

/** The cheapest input of a task. */
const smallestInputOf = (name: TaskName) =>
  Object.fromEntries(Object.entries(taskTable[name].parameters).map(([key, { min }]) => [key, min]))

/** Lends a pool of one thread to `use`, and closes it afterwards. */
async function withCompute<Result>(use: (compute: Compute) => Promise<Result>): Promise<Result> {
  const compute = await createCompute({
    threads: 1,
    workerPriority: 0,
    taskTimeoutMs: 60_000,
    workerMemoryMib: 64,
    tasksFile: join(import.meta.dirname, '../../../workers/tasks.ts'),
    logger: loggerOf(() => () => {}),
  })
  try {
    return await use(compute)
  } finally {
    await compute.close()
  }
}

async function seeResults(compute: Compute) {
  const jobs = Array.from({ length: REQUESTS }, (_, seed) => {
    const name = taskNames[seed % taskNames.length] as TaskName
    return { name, input: { ...smallestInputOf(name), seed } as never }
  })
  const outputs = await Promise.all(jobs.map(async job => (await compute.run(newContext(), job))[0]?.output))
  const wrong = jobs.filter(
    ({ name, input }, at) => !isDeepStrictEqual(outputs[at], tasks[name](input as never)),
  )
  return wrong.length > 0 ? `${wrong.length} of ${REQUESTS} got another result` : undefined
}

async function seeCpuTime(compute: Compute) {
  const before = process.threadCpuUsage()
  await run(compute, LONG)
  const { user, system } = process.threadCpuUsage(before)
  const pool = await compute.operated?.readPool?.()
  if (!pool) return 'readPool() says that there is no pool'
  const threadMicros = [...pool.threadCpuMicros.values()].reduce((sum, micros) => sum + micros, 0)
  const [mainMs, threadMs] = [user + system, threadMicros].map(micros => Math.round(micros / 1000))
  return user + system > MOST_SHARE * threadMicros
    ? `${mainMs} ms of the main thread, ${threadMs} ms of the pool's threads`
    : undefined
}

async function seeLeaving(compute: Compute) {
  const events: string[] = []
  const running = [1, 2].map(() => run(compute, LONG).then(() => events.push('a task before it ended')))
  const leaving = newContext()
  const left = run(compute, LONG, leaving).then(
    () => events.push('the task of the client that left was run all the same'),
    (error: Problem) => events.push(error.code),
  )
  leaving.abort()
  await Promise.all([left, ...running])
  return events[0] === 'CLIENT_GONE' ? undefined : `first of all: ${events[0]}`
}

expectPoints([
  {
    expects: `each of ${REQUESTS} requests at once gets the result of its own task`,
    look: `${JOIN}: replies have to come back in the order of the jobs of a message; WorkQueue and TaskThreads do that. A
WorkQueue without \`jobsPerMessage\` sends nothing. The pool of the talk's own demo answered several requests with one task's
result`,
    see: () => withCompute(seeResults),
  },
  {
    expects: `a long task takes its CPU time in a thread of the pool; the main thread uses less than half as much`,
    look: `${FILE}: who calls \`execute\`? It must be workers/thread.ts, in a thread of TaskThreads. \`readPool\` reports the CPU
time of the threads, which TaskThreads reads`,
    see: () => withCompute(seeCpuTime),
  },
  {
    expects: 'a waiting task is removed at once when its client leaves: CLIENT_GONE comes before any result',
    look: `${JOIN}: tasks have to wait in WorkQueue on the main thread; what was sent to a thread cannot be taken back`,
    see: () => withCompute(seeLeaving),
  },
])
