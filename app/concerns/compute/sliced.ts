import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { outside } from '../../../lib/threads/outside.ts'
import type { TaskJob, TaskReply, TaskRun } from '../../../workers/job.ts'
import { type BeginJob, loadTasks } from '../../../workers/job-run.ts'
import type { TaskLine } from '../../../workers/task-log.ts'
import { operated } from '../../server/operated.ts'
import type { CreateCompute, Unkept } from './contract.ts'
import { runQueued } from './queued.ts'
import { tasks as slicedTasks, turnWhenDue } from './sliced-tasks.ts'

const SLICED_TASKS = new URL('./sliced-tasks.ts', import.meta.url).pathname

const alone = 'the main thread cannot end what it runs, and dies with it'

export const unkept: Unkept = { rerun: alone, 'time limit': alone, 'memory limit': alone, death: alone }

/**
 * Runs tasks on the main thread, a few milliseconds at a time, one job after the other. Others wait for a slice instead
 * of a task; the main thread does all of the work. A task without a form in `sliced-tasks.ts` runs in one piece.
 */
export const createCompute: CreateCompute = async ({ tasksFile, logger }) => {
  const inOnePiece = await loadTasks({ tasksFile })
  const inSlices = await loadTasks({ tasksFile: SLICED_TASKS })
  const isSliced = (name: string) => name in slicedTasks
  const queue = new WorkQueue<TaskJob, TaskReply>({
    workers: 1,
    slots: 1,
    jobsPerMessage: 1,
    dispatch: async ([job]) => ({
      kind: 'replies',
      replies: [await runInTurn(job as TaskJob, name => (isSliced(name) ? inSlices : inOnePiece))],
    }),
  })
  return {
    run: runQueued(queue, logger),
    operated: operated({ queue }),
    close: async () => {},
  }
}

/** Runs the tasks of a job one after the other. */
async function runInTurn({ calls = [] }: TaskJob, beginOf: (task: string) => BeginJob): Promise<TaskReply> {
  const runs: TaskRun[] = []
  const lines: TaskLine[] = []
  for (const call of calls) {
    await turnWhenDue()
    const run = beginOf(call.name)({ calls: [call] })
    await outside(() => run.runTasks())
    const reply = run.reply as TaskReply
    lines.push(...(reply.lines ?? []))
    if (reply.kind !== 'done') return { ...reply, lines }
    runs.push(...reply.runs)
  }
  return { kind: 'done', runs, lines }
}
