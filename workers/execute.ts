import { pathToFileURL } from 'node:url'
import { outside } from '../lib/threads/outside.ts'
import type { AnswersModule, MakeAnswer } from './answers.ts'
import type { AnswersFile, TaskJob, TaskReply } from './job.ts'
import { JobRun } from './job-run.ts'
import { loadTaskFile } from './run-tasks.ts'

/** Begins a job. It never throws because of a job. */
export type BeginJob = (job: TaskJob, makeAnswer?: MakeAnswer) => JobRun

export async function loadTasks({ tasksFile }: { readonly tasksFile: string }): Promise<BeginJob> {
  const tasks = await loadTaskFile(tasksFile)
  return (job, makeAnswer) => new JobRun(job, tasks, makeAnswer)
}

/** Loads a file that makes answers. */
export async function loadAnswers({ file, data }: AnswersFile): Promise<MakeAnswer> {
  const { createAnswer }: AnswersModule = await import(pathToFileURL(file).href)
  return createAnswer(data as never)
}

/** Runs the tasks of a job one after the other, all at once, until one fails or its deadline has passed. */
export function execute(begin: BeginJob, job: TaskJob): TaskReply {
  // Jobs of one message run one after the other, and none may see the asynchronous context that one before has entered.
  const run = outside(begin, job)
  outside(() => run.runTasks())
  if (run.reply) return run.reply
  return { kind: 'failed', message: 'an asynchronous task cannot run at once', stack: undefined }
}
