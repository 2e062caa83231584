import { isLate } from '../lib/threads/envelope.ts'
import { monotonicMs } from '../lib/units.ts'
import { type AnswerMaker, AnswerRequest, type FinishAnswer } from './answers.ts'
import type { Encoded, TaskCall, TaskJob, TaskReply, TaskRun } from './job.ts'
import { areAsync, failureOf, type Outcome, runCalls, type Tasks } from './run-tasks.ts'
import { logFromTask, type TaskLine, takeTaskLines } from './task-log.ts'

const logger = { info: logFromTask.bind(undefined, 'info') }

/**
 * A job in the thread or process that runs it. The answer begins at once, and may fetch what it needs; the tasks run
 * meanwhile. The answer is finished when both are done.
 *
 *     begin ──▶ fetch ───────────────▶ finish ──▶ reply
 *        └────▶ runTasks, in turn ───────┘
 */
export class JobRun {
  /** The outcome; undefined until the job is done. */
  reply: TaskReply | undefined
  /** Called when the job is done. */
  onReply: ((reply: TaskReply) => void) | undefined
  readonly #job: TaskJob
  readonly #tasks: Tasks
  readonly #maker: AnswerMaker | undefined
  readonly #request: AnswerRequest | undefined
  #finish: FinishAnswer | undefined
  #runs: readonly TaskRun[] | undefined
  #lines: readonly TaskLine[] | undefined

  constructor(job: TaskJob, tasks: Tasks, maker: AnswerMaker | undefined) {
    this.#job = job
    this.#tasks = tasks
    this.#maker = maker
    if (!job.answer) return
    this.#request = new AnswerRequest(job.answer)
    if (isLate(job.answer.envelope)) this.#settle({ kind: 'expired' })
    else this.#begin(job.answer.input)
  }

  /**
   * Runs the tasks one after the other, and finishes the answer if that has all it needs.
   * @returns a promise if the output of a task is one, or has a `then`; it resolves when all outputs are there
   */
  runTasks(): Promise<void> | undefined {
    if (this.reply) return undefined
    try {
      const runs = runCalls(this.#tasks, this.#calls())
      if (!runs) this.#settle({ kind: 'expired' })
      else if (areAsync(runs)) return this.#awaitOutputs(runs)
      else this.#complete(runs)
    } catch (error) {
      this.#fail(error)
    }
    return undefined
  }

  async #awaitOutputs(runs: readonly TaskRun[]): Promise<void> {
    try {
      this.#complete(await Promise.all(runs.map(awaitOutput)))
    } catch (error) {
      this.#fail(error)
    }
  }

  #complete(runs: readonly TaskRun[]): void {
    this.#takeLines()
    this.#runs = runs
    this.#conclude()
  }

  /** Tells the job that its client has left. */
  cancel(): void {
    this.#request?.leave()
  }

  #begin(input: unknown): void {
    if (!this.#maker)
      return this.#settle({ kind: 'failed', message: 'no answers are made here', stack: undefined })
    try {
      const begun = this.#maker.begin(input, this.#request as AnswerRequest)
      if (typeof begun === 'function') this.#finish = begun
      else
        begun.then(
          finish => this.#arrive(finish),
          error => this.#fail(error),
        )
    } catch (error) {
      this.#fail(error)
    }
  }

  #calls(): readonly TaskCall[] {
    const { calls = [], answer } = this.#job
    if (!answer) return calls
    return this.#maker?.tasksOf(answer.input).map(task => ({ ...task, envelope: answer.envelope })) ?? []
  }

  #arrive(finish: FinishAnswer): void {
    this.#finish = finish
    try {
      this.#conclude()
    } catch (error) {
      this.#fail(error)
    }
  }

  #conclude(): void {
    if (this.reply || !this.#runs) return
    if (!this.#job.answer) return this.#settle({ kind: 'done', runs: this.#runs })
    if (!this.#finish) return
    const outputs = this.#runs.map(({ output }) => output)
    const answer = this.#make(() => pack((this.#finish as FinishAnswer)(outputs, logger)))
    this.#settle({ kind: 'done', runs: this.#runs.map(run => ({ ...run, output: undefined })), answer })
  }

  /** Makes the answer. Its lines go with the reply, also if it fails. */
  #make<Answer>(make: () => Answer): Answer {
    try {
      return make()
    } finally {
      const lines = this.#maker?.takeLines?.()
      const request = this.#request
      if (lines && request?.report) request.report = { ...request.report, lines }
    }
  }

  /** Ends the job because a task or its answer failed. */
  #fail(error: unknown): void {
    this.#settle(failureOf(error))
  }

  #settle(outcome: Outcome): void {
    if (this.reply) return
    this.#request?.leave()
    this.#takeLines()
    this.reply = { ...outcome, lines: this.#lines, report: this.#request?.report } as TaskReply
    this.onReply?.(this.reply)
  }

  /** Takes the log lines that were written since another job was at work. */
  #takeLines(): void {
    const lines = takeTaskLines()
    if (lines) this.#lines = [...(this.#lines ?? []), ...lines]
  }
}

async function awaitOutput({ output, startedAtMs }: TaskRun): Promise<TaskRun> {
  return { output: await output, startedAtMs, runMs: monotonicMs() - startedAtMs }
}

/**
 * Copies bytes into memory of their own: a Buffer may be a small part of a larger pool, and all of the pool would be
 * sent.
 */
const pack = ({ contentType, body }: Encoded) => ({
  contentType,
  body: typeof body === 'string' ? body : new Uint8Array(body),
})
