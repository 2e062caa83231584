import { pathToFileURL } from 'node:url'
import { isLate } from '../lib/envelope.ts'
import { monotonicMs } from '../lib/units.ts'
import type {
  AnswerLogger,
  BeginAnswer,
  EncodedAnswer,
  MadeAnswer,
  TaskCall,
  TaskFiles,
  TaskJob,
  TaskReply,
  TaskRun,
} from './protocol.ts'
import { logFromTask, takeTaskLines } from './task-log.ts'

/**
 * Runs the tasks of a job one after the other, until one fails or its deadline has passed, and makes the answer of the
 * job. It never throws because of a job.
 */
export type Execute = (job: TaskJob) => TaskReply

const encoder = new TextEncoder()
const logger: AnswerLogger = { info: logFromTask.bind(undefined, 'info') }

/**
 * Loads the tasks, such as those of `workers/tasks.ts`, and the module that makes answers, if answers are to be made
 * here.
 */
export async function loadTasks({ tasksFile, answersFile }: TaskFiles): Promise<Execute> {
  const { tasks } = await load<{ tasks: Record<string, (input: never) => unknown> }>(tasksFile)
  const beginAnswer =
    answersFile === undefined
      ? undefined
      : (await load<{ beginAnswer: BeginAnswer }>(answersFile)).beginAnswer

  function runTask({ name, input }: TaskCall): TaskRun {
    const task = tasks[name]
    if (!task) throw new TypeError(`no task is named ${name}`)
    const startedAtMs = monotonicMs()
    const output = task(input as never)
    return { output, startedAtMs, runMs: monotonicMs() - startedAtMs }
  }

  function runTasks(
    calls: readonly TaskCall[],
    finish?: (outputs: readonly unknown[]) => EncodedAnswer,
  ): TaskReply {
    const runs: TaskRun[] = []
    try {
      for (const call of calls) {
        if (isLate(call.envelope)) return { kind: 'expired' }
        runs.push(runTask(call))
      }
      if (!finish) return { kind: 'done', runs }
      const answer = pack(finish(runs.map(({ output }) => output)))
      return { kind: 'done', runs: runs.map(run => ({ ...run, output: undefined })), answer }
    } catch (error) {
      return { kind: 'failed', ...describe(error) }
    }
  }

  function runJob({ calls, answer }: TaskJob): TaskReply {
    if (!answer) return runTasks(calls)
    if (isLate(answer.envelope)) return { kind: 'expired' }
    if (!beginAnswer) return { kind: 'failed', message: 'no answers are made here', stack: undefined }
    try {
      const finish = beginAnswer(answer.input)
      return runTasks(calls, outputs => finish(outputs, logger))
    } catch (error) {
      return { kind: 'bad data', ...describe(error) }
    }
  }

  return job => ({ ...runJob(job), lines: takeTaskLines() })
}

const load = <Module>(file: string): Promise<Module> => import(pathToFileURL(file).href)

function describe(error: unknown): { message: string; stack: string | undefined } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

/**
 * Copies the body into memory of its own: a Buffer may be a small part of a larger pool, and all of the pool would be
 * sent.
 */
const pack = ({ contentType, body }: EncodedAnswer): MadeAnswer => ({
  contentType,
  bytes: typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body),
})
