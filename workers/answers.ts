import { ClientWatch, type Envelope } from '../lib/threads/envelope.ts'
import type { AnswerCall, Plain, TaskCall, TaskRun } from './job.ts'
import type { TaskLine } from './task-log.ts'

/** The exports of a file that makes whole answers in the threads of a pool. */
export interface AnswersModule {
  /** Called once in each thread. @param data what the main thread has given with the file */
  createAnswer(data: unknown): MakeAnswer | Promise<MakeAnswer>
}

/**
 * Makes an answer. What it awaits holds up no other job of the thread.
 * @returns the answer in plain values
 * @throws CodedError when there is no answer for a reason that the app knows; any other error is a failure of the job
 */
export type MakeAnswer = (job: AnswerJob) => Promise<readonly Plain[]>

/** An answer to make, in the thread that makes it. It is aborted when its client leaves, and once it has ended. */
export class AnswerJob extends ClientWatch {
  readonly input: readonly Plain[]
  readonly envelope: Envelope
  /** What the main thread is told beside an error. */
  report: readonly Plain[] | undefined
  /** Log lines that the main thread writes, with those of the tasks. */
  readonly lines: TaskLine[] = []
  readonly #turn = Promise.withResolvers<readonly TaskRun[]>()
  #calls: readonly TaskCall[] = []

  constructor({ input, envelope }: AnswerCall) {
    super()
    this.input = input
    this.envelope = envelope
    this.#turn.promise.catch(() => {})
  }

  /** Milliseconds by the monotonic clock. */
  get deadline(): number {
    return this.envelope.deadline
  }

  /** Runs CPU tasks when the turn of this job comes. It has to be called before the first `await`. */
  runTasks(tasks: readonly Pick<TaskCall, 'name' | 'input'>[]): Promise<readonly TaskRun[]> {
    this.#calls = tasks.map(task => ({ ...task, envelope: this.envelope }))
    return this.#turn.promise
  }

  /** Takes the turn of this job. @param run runs the tasks that were asked for */
  takeTurn(run: (calls: readonly TaskCall[]) => readonly TaskRun[]): void {
    try {
      this.#turn.resolve(run(this.#calls))
    } catch (error) {
      this.#turn.reject(error)
    }
  }
}
