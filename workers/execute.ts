import { pathToFileURL } from 'node:url'
import { outside } from '../lib/threads/outside.ts'
import type { AnswersModule } from './answers.ts'
import type { TaskFiles, TaskJob, TaskReply } from './job.ts'
import { JobRun } from './job-run.ts'
import { loadTaskFile } from './run-tasks.ts'

/** Begins a job. It never throws because of a job. */
export type BeginJob = (job: TaskJob) => JobRun

/** Loads the tasks, and the module that makes answers, if answers are to be made here. */
export async function loadTasks({ tasksFile, answersFile, answersData }: TaskFiles): Promise<BeginJob> {
  const tasks = await loadTaskFile(tasksFile)
  const maker =
    answersFile === undefined ? undefined : await (await load(answersFile)).createMaker(answersData)
  return job => new JobRun(job, tasks, maker)
}

/**
 * Runs the tasks of a job one after the other, until one fails or its deadline has passed, and makes the answer of the
 * job, all at once.
 */
export function execute(begin: BeginJob, job: TaskJob): TaskReply {
  // Jobs of one message run one after the other, and none may see the asynchronous context that one before has entered.
  const run = outside(begin, job)
  outside(() => run.runTasks())
  if (run.reply) return run.reply
  const message = 'an asynchronous task, or an answer that fetches its data, cannot run at once'
  return { kind: 'failed', message, stack: undefined }
}

const load = (file: string): Promise<AnswersModule> => import(pathToFileURL(file).href)
