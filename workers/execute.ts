import { pathToFileURL } from 'node:url'
import type { CreateSerialization, Encoded } from '../app/serialization/contract.ts'
import { beginAnswer } from '../app/serialization/recipes.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Envelope, MadeAnswer, TaskCall, TaskFiles, TaskJob, TaskReply, TaskRun } from './protocol.ts'
import { logFromTask, takeTaskLines } from './task-log.ts'

/**
 * Runs the tasks of a job one after the other, until one fails or its deadline has passed, and makes its answer. Never
 * throws for a job.
 */
export type Execute = (job: TaskJob) => TaskReply

const encoder = new TextEncoder()
const logger = { info: logFromTask.bind(undefined, 'info') }

/** Loads the tasks, such as those of `workers/tasks.ts`, and the codec, if answers are to be made. */
export async function loadTasks({ tasksFile, codecFile }: TaskFiles): Promise<Execute> {
  const { tasks } = await load<{ tasks: Record<string, (input: never) => unknown> }>(tasksFile)
  const codec =
    codecFile === undefined
      ? undefined
      : (await load<{ createSerialization: CreateSerialization }>(codecFile)).createSerialization()

  function runTask({ name, input }: TaskCall): TaskRun {
    const task = tasks[name]
    if (!task) throw new TypeError(`no task is named ${name}`)
    const startedAtMs = monotonicMs()
    const output = task(input as never)
    return { output, startedAtMs, runMs: monotonicMs() - startedAtMs }
  }

  function runTasks(
    calls: readonly TaskCall[],
    finish?: (outputs: readonly unknown[]) => Encoded,
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
    if (!codec) return { kind: 'failed', message: 'there is no codec for answers', stack: undefined }
    try {
      const finish = beginAnswer(codec, answer.input)
      return runTasks(calls, outputs => finish(outputs, logger))
    } catch (error) {
      return { kind: 'bad data', ...describe(error) }
    }
  }

  return job => ({ ...runJob(job), lines: takeTaskLines() })
}

const load = <Module>(file: string): Promise<Module> => import(pathToFileURL(file).href)

const isLate = ({ deadline }: Envelope) => monotonicMs() >= deadline

function describe(error: unknown): { message: string; stack: string | undefined } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { message, stack }
}

/** Bytes in memory of their own: a Buffer may be a small part of a pool, all of which would travel. */
const pack = ({ contentType, body }: Encoded): MadeAnswer => ({
  contentType,
  bytes: typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body),
})
