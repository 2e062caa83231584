import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ProcessUsage } from '../../lib/process-usage.ts'
import type {
  ProcessData,
  ProcessMessage,
  ProcessReply,
  TaskJob,
  TaskMessage,
  TaskReply,
} from '../../workers/protocol.ts'
import { type Outcome, WorkQueue } from '../../workers/work-queue.ts'
import { type CreateCompute, noChildren } from './contract.ts'
import { runQueued } from './queued.ts'

const MESSAGES_PER_PROCESS = 2
const RESTART_DELAY_MS = 500

/** On child processes, as before there were threads. */
export const createCompute: CreateCompute = async ({
  threads,
  workerPriority,
  tasksFile,
  codecFile,
  logger,
}) => {
  const pool = new ProcessPool(threads, { tasksFile, codecFile, priority: workerPriority })
  await pool.ready()
  const slots = threads * MESSAGES_PER_PROCESS
  const queue = new WorkQueue<TaskJob, TaskReply>({
    slots,
    jobsPerMessage: 1,
    lost: 'TASK_FAILED',
    dispatch: (jobs, slot) => pool.dispatch({ kind: 'tasks', jobs, slot }),
  })
  return {
    ...runQueued(queue, logger),
    lane: { workers: threads, oldestWaitMs: () => queue.oldestWaitMs() },
    readPool: async () => ({ size: threads, queueLength: queue.length, threadCpuMicros: new Map() }),
    childUsage: () => pool.usage(),
    close: () => pool.close(),
  }
}

/** One child process, and who waits for its replies, in the order asked. */
interface Member {
  readonly child: ChildProcess
  readonly tasks: ((outcome: Outcome<TaskReply>) => void)[]
  readonly usages: ((usage: ProcessUsage) => void)[]
  readonly ready: Promise<void>
  isReady: boolean
}

class ProcessPool {
  readonly #members = new Set<Member>()
  readonly #data: ProcessData
  /** Those who wait for a process that is up. */
  #awaiting: (() => void)[] = []
  #closing = false

  constructor(size: number, data: ProcessData) {
    this.#data = data
    for (let index = 0; index < size; index++) this.#start()
  }

  async ready(): Promise<void> {
    await Promise.all([...this.#members].map(member => member.ready))
  }

  /** Hands out to the idlest process that is up; while none is, waits for the next. */
  async dispatch(message: TaskMessage): Promise<Outcome<TaskReply>> {
    for (;;) {
      const [first, ...others] = [...this.#members].filter(({ isReady }) => isReady)
      if (!first) {
        await new Promise<void>(resolve => this.#awaiting.push(resolve))
        if (this.#closing) return { kind: 'lost', started: 1 }
        continue
      }
      const idlest = others.reduce(
        (best, each) => (each.tasks.length < best.tasks.length ? each : best),
        first,
      )
      return new Promise(resolve => {
        idlest.tasks.push(resolve)
        send(idlest, message)
      })
    }
  }

  async usage(): Promise<ProcessUsage> {
    const usages = await Promise.all([...this.#members].map(askUsage))
    return usages.reduce(
      (total, usage) => ({
        cpuMicros: total.cpuMicros + usage.cpuMicros,
        residentBytes: total.residentBytes + usage.residentBytes,
      }),
      noChildren,
    )
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#resume()
    const exits = [...this.#members].map(({ child }) => once(child, 'exit'))
    for (const { child } of this.#members) child.disconnect()
    await Promise.all(exits)
  }

  #start(): void {
    const child = fork(join(import.meta.dirname, '../../workers/process.ts'), [JSON.stringify(this.#data)], {
      // Tasks are cheaper as JSON, which would make a list of numbers of an answer's bytes.
      serialization: this.#data.codecFile === undefined ? 'json' : 'advanced',
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    const member: Member = { child, tasks: [], usages: [], ready, isReady: false }
    this.#members.add(member)
    child.on('message', (reply: ProcessReply) => {
      if (reply.kind === 'ready') {
        member.isReady = true
        resolve()
        this.#resume()
      } else if (reply.kind === 'usage') member.usages.shift()?.(reply)
      else member.tasks.shift()?.(reply)
    })
    child.once('close', code => {
      reject(new Error(`a process of the pool ended with ${code} before it was ready`))
      this.#members.delete(member)
      if (!this.#closing) this.#replace(member.isReady)
      giveBack(member)
    })
    ready.catch(() => {})
  }

  #resume(): void {
    for (const resume of this.#awaiting.splice(0)) resume()
  }

  /** At once, unless the last one did not even come up. */
  #replace(wasReady: boolean): void {
    if (wasReady) this.#start()
    else setTimeout(() => this.#closing || this.#start(), RESTART_DELAY_MS).unref()
  }
}

/** Replies come in order, so of the jobs that a dead process had, the oldest was running and no other was. */
function giveBack({ tasks, usages }: Member): void {
  for (const [index, resolve] of tasks.entries()) resolve({ kind: 'lost', started: index === 0 ? 1 : 0 })
  for (const resolve of usages) resolve(noChildren)
}

const askUsage = (member: Member) =>
  new Promise<ProcessUsage>(resolve => {
    member.usages.push(resolve)
    send(member, { kind: 'usage' })
  })

/** A process that is about to be buried takes no message; its tasks are given back when its end is seen. */
const send = ({ child }: Member, message: ProcessMessage) => child.send(message, () => {})
