import { pathToFileURL } from 'node:url'
import { isLate } from '../lib/threads/envelope.ts'
import { outside } from '../lib/threads/outside.ts'
import { monotonicMs } from '../lib/units.ts'
import { AnswerJob, type AnswersModule, type MakeAnswer } from './answers.ts'
import {
  type AnswersFile,
  packAnswer,
  type TaskCall,
  type TaskJob,
  type TaskOutcome,
  type TaskReply,
  type TaskRun,
} from './job.ts'
import { areAsync, failureOf, runCalls, type Tasks } from './run-tasks.ts'
import { type TaskLine, takeTaskLines } from './task-log.ts'

/** The tasks of an answer were not started, because its deadline has passed. */
const EXPIRED = new Error('the deadline has passed')

/** Of jobs by the names of their tasks: whether they wait for nothing, and the mean time that the last ones took. */
const seen = new Map<string, { readonly isAtOnce: boolean; readonly ms: number }>()

/**
 * A job in the thread or process that runs it: tasks, or an answer. An answer begins at once, and awaits what it fetches;
 * its tasks run when the turn of the job comes.
 */
export class JobRun {
  /** The outcome; undefined until the job is done. */
  reply: TaskReply | undefined
  /** Called when the job is done. */
  onReply: ((reply: TaskReply) => void) | undefined
  readonly #tasks: Tasks
  readonly #calls: readonly TaskCall[]
  readonly #answer: AnswerJob | undefined
  #lines: readonly TaskLine[] | undefined

  /** It never throws because of a job. @param makeAnswer absent where no answers are made */
  constructor({ calls = [], answer }: TaskJob, tasks: Tasks, makeAnswer?: MakeAnswer) {
    this.#tasks = tasks
    this.#calls = calls
    if (!answer) return
    this.#answer = new AnswerJob(answer)
    if (isLate(answer.envelope)) this.#settle({ kind: 'expired' })
    else if (makeAnswer) void this.#make(makeAnswer, this.#answer)
    else this.#settle(failureOf(new Error('no answers are made here')))
  }

  /** Whether it is an answer, and so has begun. */
  get isAnswer(): boolean {
    return this.#answer !== undefined
  }

  /** Whether its tasks may wait for something, and so be at work when the event loop turns. */
  get mayWait(): boolean {
    return !this.isAnswer && !this.#seen?.isAtOnce
  }

  /** For how long its tasks may keep the thread: Infinity before others like it were seen. */
  get expectedMs(): number {
    return this.#seen?.ms ?? Number.POSITIVE_INFINITY
  }

  /** Notes for how long its tasks have kept the thread, and whether they wait for something. */
  note(ms: number, isAsync: boolean): void {
    if (this.reply?.kind === 'expired') return
    const before = this.#seen
    const isAtOnce = !isAsync && (before?.isAtOnce === true || this.reply?.kind === 'done')
    seen.set(this.#names, { isAtOnce, ms: before ? before.ms + (ms - before.ms) / 8 : ms })
  }

  get #seen() {
    return seen.get(this.#names)
  }

  get #names(): string {
    const calls = this.#answer?.calls ?? this.#calls
    return calls.length === 1 ? (calls[0] as TaskCall).name : calls.map(({ name }) => name).join()
  }

  /** Takes the turn of the job: runs its tasks one after the other. @returns a promise of their end if one is asynchronous */
  runTasks(): Promise<void> | undefined {
    if (this.reply) return undefined
    if (this.#answer) this.#answer.takeTurn(calls => this.#runAll(calls))
    else
      try {
        const runs = this.#runAll(this.#calls)
        if (areAsync(runs)) return this.#awaitOutputs(runs)
        this.#settle({ kind: 'done', runs })
      } catch (error) {
        this.giveUp(error)
      }
    return undefined
  }

  /** Ends the job because a task or its answer failed, or has not ended. What its tasks return later is dropped. */
  giveUp(error: unknown): void {
    this.#settle(error === EXPIRED ? { kind: 'expired' } : failureOf(error))
  }

  /** Tells the job that its client has left. */
  cancel(): void {
    this.#answer?.abort()
  }

  async #make(makeAnswer: MakeAnswer, job: AnswerJob): Promise<void> {
    try {
      const made = await makeAnswer(job)
      this.#settle({ kind: 'done', runs: [], answer: packAnswer(made, job.report ?? [], job.runs) })
    } catch (error) {
      this.giveUp(error)
    }
  }

  #runAll(calls: readonly TaskCall[]): readonly TaskRun[] {
    try {
      const runs = runCalls(this.#tasks, calls)
      if (!runs) throw EXPIRED
      return runs
    } finally {
      this.#takeLines()
    }
  }

  async #awaitOutputs(runs: readonly TaskRun[]): Promise<void> {
    try {
      this.#settle({ kind: 'done', runs: await Promise.all(runs.map(awaitOutput)) })
    } catch (error) {
      this.giveUp(error)
    }
  }

  #settle(outcome: TaskOutcome): void {
    if (this.reply) return
    this.#takeLines(this.#answer?.lines)
    const report = outcome.kind === 'done' ? undefined : this.#answer?.report
    this.reply = { ...outcome, lines: this.#lines, report } as TaskReply
    this.#answer?.abort()
    this.onReply?.(this.reply)
  }

  /** Takes the log lines that were written since another job was at work. */
  #takeLines(others: readonly TaskLine[] = []): void {
    const lines = takeTaskLines() ?? []
    if (lines.length + others.length > 0) this.#lines = [...(this.#lines ?? []), ...lines, ...others]
  }
}

async function awaitOutput({ output, startedAtMs }: TaskRun): Promise<TaskRun> {
  return { output: await output, startedAtMs, runMs: monotonicMs() - startedAtMs }
}

/** Loads a file that makes answers. */
export async function loadAnswers({ file, data }: AnswersFile): Promise<MakeAnswer> {
  const { createAnswer }: AnswersModule = await import(pathToFileURL(file).href)
  return createAnswer(data as never)
}

/** Runs the tasks of a job one after the other, all at once, until one fails or its deadline has passed. */
export function execute(tasks: Tasks, job: TaskJob): TaskReply {
  const run = new JobRun(job, tasks)
  // Jobs of one message run one after the other, and none may see the asynchronous context that one before has entered.
  outside(() => run.runTasks())
  if (run.reply) return run.reply
  return { kind: 'failed', message: 'an asynchronous task cannot run at once', stack: undefined }
}
