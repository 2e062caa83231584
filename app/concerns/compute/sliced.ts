import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { type BeginJob, loadTasks } from '../../../workers/execute.ts'
import type { TaskJob, TaskReply } from '../../../workers/protocol.ts'
import { type CreateCompute, noChildren, type Unkept } from './contract.ts'
import { runQueued } from './queued.ts'
import { tasks as slicedTasks, turnWhenDue } from './sliced-tasks.ts'

const SLICED_TASKS = new URL('./sliced-tasks.ts', import.meta.url).pathname

const alone = 'the main thread cannot end what it runs, and dies with it'

export const unkept: Unkept = { rerun: alone, 'time limit': alone, 'memory limit': alone, death: alone }

/**
 * Runs tasks on the main thread, a few milliseconds at a time, one job after the other. Others wait for a slice instead
 * of a task; the main thread does all of the work. A task without a form in `sliced-tasks.ts` runs in one piece.
 */
export const createCompute: CreateCompute = async ({ tasksFile, answersFile, logger }) => {
  const inOnePiece = await loadTasks({ tasksFile })
  const inSlices = await loadTasks({ tasksFile: SLICED_TASKS, answersFile })
  const isSliced = (name: string) => name in slicedTasks
  const queue = new WorkQueue<TaskJob, TaskReply>({
    workers: 1,
    slots: 1,
    jobsPerMessage: 1,
    dispatch: async ([job]) => ({
      kind: 'replies',
      replies: [await runInTurn(job as TaskJob, name => (isSliced(name) ? inSlices : inOnePiece), inSlices)],
    }),
  })
  return {
    ...runQueued(queue, logger),
    queue,
    readPool: async () => undefined,
    childUsage: async () => noChildren,
    close: async () => {},
  }
}

/** Runs the tasks of a job one after the other, and then makes its answer of their outputs. */
async function runInTurn(
  { calls = [], answer }: TaskJob,
  beginOf: (task: string) => BeginJob,
  beginAnswer: BeginJob,
): Promise<TaskReply> {
  const replies: TaskReply[] = []
  const lines = () => replies.flatMap(reply => reply.lines ?? [])
  for (const call of calls) {
    await turnWhenDue()
    const reply = await work(beginOf(call.name), { calls: [call] })
    replies.push(reply)
    if (reply.kind !== 'done') return { ...reply, lines: lines() }
  }
  const runs = replies.flatMap(reply => (reply.kind === 'done' ? reply.runs : []))
  if (!answer) return { kind: 'done', runs, lines: lines() }
  // The job was begun in time, so its answer may be made after the deadline.
  const envelope = { ...answer.envelope, deadline: Number.POSITIVE_INFINITY }
  const outputs = runs.map(({ output }) => ({ name: 'done', input: output, envelope }))
  const reply = await work(beginAnswer, { calls: outputs, answer: { ...answer, envelope } })
  replies.push(reply)
  return { ...reply, ...(reply.kind === 'done' && { runs }), lines: lines() }
}

async function work(begin: BeginJob, job: TaskJob): Promise<TaskReply> {
  const run = begin(job)
  await run.runTasks()
  return run.reply as TaskReply
}
