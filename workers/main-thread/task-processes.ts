import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import type { ProcessUsage } from '../../lib/process-usage.ts'
import {
  type ProcessData,
  type ProcessMessage,
  type ProcessReply,
  processData,
  type TaskMessage,
  type TaskPoolOptions,
  type TaskReply,
} from '../protocol.ts'

const MESSAGES_PER_PROCESS = 2
const RESTART_DELAY_MS = 500
const NOTHING: ProcessUsage = { cpuMicros: 0, residentBytes: 0 }

/** One child process, and who waits for its replies, in the order asked. */
interface Member {
  readonly child: ChildProcess
  readonly tasks: ((outcome: Outcome<TaskReply>) => void)[]
  readonly usages: ((usage: ProcessUsage) => void)[]
  /** How many messages it has answered. */
  answers: number
  timedOut: boolean
  readonly ready: Promise<void>
  isReady: boolean
}

/** Child processes that run tasks, and what becomes of those that run too long. */
export class TaskProcesses {
  /** How many messages may be out. */
  readonly slots: number
  readonly #members = new Set<Member>()
  readonly #data: ProcessData
  readonly #memoryMib: number
  readonly #watch: ProgressWatch<Member>
  /** Those who wait for a process that is up. */
  #awaiting: (() => void)[] = []
  #closing = false

  constructor(options: TaskPoolOptions) {
    const { threads, taskTimeoutMs, workerMemoryMib } = options
    this.slots = threads * MESSAGES_PER_PROCESS
    this.#data = processData(options)
    this.#memoryMib = workerMemoryMib
    this.#watch = new ProgressWatch(taskTimeoutMs, () => this.#readProgress(), endMember)
    for (let index = 0; index < threads; index++) this.#start()
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
      NOTHING,
    )
  }

  kill(): void {
    const [first] = this.#members
    first?.child.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#watch.close()
    this.#resume()
    const exits = [...this.#members].map(({ child }) => once(child, 'exit'))
    for (const { child } of this.#members) child.disconnect()
    await Promise.all(exits)
  }

  #start(): void {
    const child = fork(join(import.meta.dirname, '../process.ts'), [JSON.stringify(this.#data)], {
      // Tasks are cheaper as JSON, which would make a list of numbers of an answer's bytes.
      execArgv: [...process.execArgv, `--max-old-space-size=${this.#memoryMib}`],
      serialization: this.#data.answersFile === undefined ? 'json' : 'advanced',
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    const member: Member = {
      child,
      tasks: [],
      usages: [],
      answers: 0,
      timedOut: false,
      ready,
      isReady: false,
    }
    this.#members.add(member)
    child.on('message', (reply: ProcessReply) => {
      if (reply.kind === 'ready') {
        member.isReady = true
        resolve()
        this.#resume()
      } else if (reply.kind === 'usage') member.usages.shift()?.(reply)
      else {
        member.answers++
        member.tasks.shift()?.(reply)
      }
    })
    child.once('close', code => {
      reject(new Error(`a process of the pool ended with ${code} before it was ready`))
      this.#members.delete(member)
      if (!this.#closing) this.#replace(member.isReady)
      giveBack(member)
    })
    ready.catch(() => {})
  }

  /** What the processes that have work got done: replies come in order, so the oldest task is the one that runs. */
  #readProgress() {
    return [...this.#members]
      .filter(({ isReady, tasks }) => isReady && tasks.length > 0)
      .map(member => [member, member.answers] as const)
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

function endMember(member: Member): void {
  member.timedOut = true
  member.child.kill('SIGKILL')
}

/** Replies come in order, so of the jobs that a dead process had, the oldest was running and no other was. */
function giveBack({ tasks, usages, timedOut }: Member): void {
  for (const [index, resolve] of tasks.entries())
    resolve({ kind: 'lost', started: index === 0 ? 1 : 0, timedOut })
  for (const resolve of usages) resolve(NOTHING)
}

const askUsage = (member: Member) =>
  new Promise<ProcessUsage>(resolve => {
    member.usages.push(resolve)
    send(member, { kind: 'usage' })
  })

/** A process that is about to be buried takes no message; its tasks are given back when its end is seen. */
const send = ({ child }: Member, message: ProcessMessage) => child.send(message, () => {})
