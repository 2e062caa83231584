import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { MessageEnd } from '../../lib/main-thread/job.ts'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import { hasEnded } from '../../lib/os/process.ts'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import type { TaskJob, TaskPoolOptions, TaskReply } from '../job.ts'
import { type ProcessData, type ProcessMessage, type ProcessReply, processData } from '../protocol.ts'

const MESSAGES_PER_PROCESS = 2
const RESTART_DELAY_MS = 500
/** A process that was told to end has this time for the job that it runs. */
const END_MS = 1000
const NOTHING: ProcessUsage = { cpuMicros: 0, residentBytes: 0 }

/** One child process, and the callers that wait for its replies, in the order of their calls. */
interface TaskProcess {
  readonly child: ChildProcess
  readonly tasks: ((outcome: MessageEnd<TaskReply>) => void)[]
  readonly usages: ((usage: ProcessUsage) => void)[]
  answers: number
  timedOut: boolean
  readonly ready: Promise<void>
  isReady: boolean
}

/** Child processes that run tasks. A process whose task takes too long is replaced. */
export class TaskProcesses {
  /** Number of messages that may be unanswered at the same time. */
  readonly slots: number
  readonly #processes = new Set<TaskProcess>()
  readonly #data: ProcessData
  readonly #memoryMib: number
  readonly #watch: ProgressWatch<TaskProcess>
  #closing = false

  constructor(options: TaskPoolOptions) {
    const { threads, taskTimeoutMs, workerMemoryMib } = options
    this.slots = threads * MESSAGES_PER_PROCESS
    this.#data = processData(options)
    this.#memoryMib = workerMemoryMib
    this.#watch = new ProgressWatch({
      limitMs: taskTimeoutMs,
      read: () => this.#readProgress(),
      onStuck: endProcess,
    })
    for (let index = 0; index < threads; index++) this.#start()
  }

  async ready(): Promise<void> {
    await Promise.all([...this.#processes].map(runner => runner.ready))
  }

  /** Sends jobs to the process with the fewest messages. @throws what the channel throws for jobs that it cannot copy */
  dispatch(jobs: readonly TaskJob[]): Promise<MessageEnd<TaskReply>> {
    const idlest = [...this.#processes].reduce((best, each) =>
      busyness(each) < busyness(best) ? each : best,
    )
    this.#watch.wake()
    send(idlest, { kind: 'tasks', jobs })
    return new Promise(resolve => idlest.tasks.push(resolve))
  }

  async usage(): Promise<ProcessUsage> {
    const usages = await Promise.all([...this.#processes].map(askUsage))
    return usages.reduce(
      (total, usage) => ({
        cpuMicros: total.cpuMicros + usage.cpuMicros,
        residentBytes: total.residentBytes + usage.residentBytes,
      }),
      NOTHING,
    )
  }

  /** Ends a process. Resolves when another one is ready, or could not start. */
  async kill(): Promise<void> {
    const [first] = this.#processes
    if (!first) return
    // A process that is told to end meanwhile may report an error instead: its channel is gone.
    const closed = once(first.child, 'close').catch(() => {})
    first.child.kill('SIGKILL')
    await closed
    await this.ready().catch(() => {})
  }

  /** Ends all processes. One that still works after a second is killed, and its jobs are lost. */
  async close(): Promise<void> {
    this.#closing = true
    this.#watch.close()
    const running = [...this.#processes].map(({ child }) => child).filter(child => !hasEnded(child))
    const exits = running.map(child => once(child, 'exit'))
    // One that dies at this moment has no channel any more.
    for (const child of running) if (child.connected) child.disconnect()
    const timer = setTimeout(() => running.forEach(child => void child.kill('SIGKILL')), END_MS)
    await Promise.all(exits)
    clearTimeout(timer)
    // A process whose channel was closed first has no event `close`.
    for (const runner of this.#processes) giveBack(runner, 'the pool was closed')
  }

  #start(): void {
    const child = fork(join(import.meta.dirname, '../process.ts'), [JSON.stringify(this.#data)], {
      execArgv: [...process.execArgv, `--max-old-space-size=${this.#memoryMib}`],
      serialization: 'json',
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    const runner: TaskProcess = {
      child,
      tasks: [],
      usages: [],
      answers: 0,
      timedOut: false,
      ready,
      isReady: false,
    }
    this.#processes.add(runner)
    child.on('message', (reply: ProcessReply) => {
      if (reply.kind === 'ready') {
        runner.isReady = true
        resolve()
      } else if (reply.kind === 'usage') runner.usages.shift()?.(reply)
      else {
        runner.answers++
        runner.tasks.shift()?.(reply)
      }
    })
    const onEnd = (how: unknown) => {
      reject(new Error(`a process of the pool ended with ${how} before it was ready`))
      const replace = () => {
        this.#processes.delete(runner)
        if (!this.#closing) this.#start()
        giveBack(runner, `its process ended with ${how}`)
      }
      if (runner.isReady) replace()
      else setTimeout(replace, RESTART_DELAY_MS).unref()
    }
    child.once('close', (code, signal) => onEnd(signal ?? code))
    // A process that cannot be started has no other event. One that cannot be killed or reached ends by itself.
    child.on('error', error => void (child.pid === undefined && onEnd(error.message)))
    ready.catch(() => {})
  }

  /** The progress of the processes with tasks, once they are ready. Replies come in order, so the oldest task is the running one. */
  #readProgress() {
    return [...this.#processes]
      .filter(({ tasks }) => tasks.length > 0)
      .map(runner => [runner, runner.isReady ? runner.answers : null] as const)
  }
}

function endProcess(runner: TaskProcess): void {
  runner.timedOut = true
  runner.child.kill('SIGKILL')
}

/** Reports the jobs of a dead process as lost. Replies come in order, so the oldest job was running and no other was. */
function giveBack({ tasks, usages, timedOut, isReady }: TaskProcess, why: string): void {
  for (const [index, resolve] of tasks.splice(0).entries())
    resolve({ kind: 'lost', started: isReady && index === 0 ? 1 : 0, timedOut, why })
  for (const resolve of usages.splice(0)) resolve(NOTHING)
}

const busyness = ({ isReady, tasks }: TaskProcess): number =>
  isReady ? tasks.length : Number.POSITIVE_INFINITY

const askUsage = (runner: TaskProcess) =>
  new Promise<ProcessUsage>(resolve => {
    runner.usages.push(resolve)
    send(runner, { kind: 'usage' })
  })

/** A dead process takes no message; its tasks are given back when its end is noticed. */
const send = ({ child }: TaskProcess, message: ProcessMessage) => child.send(message, () => {})
