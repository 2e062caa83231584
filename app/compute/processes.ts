import type { TaskJob, TaskReply } from '../../workers/protocol.ts'
import { TaskProcesses } from '../../workers/task-processes.ts'
import { WorkQueue } from '../../workers/work-queue.ts'
import type { CreateCompute } from './contract.ts'
import { runQueued } from './queued.ts'

/** On child processes, as before there were threads. */
export const createCompute: CreateCompute = async ({
  threads,
  workerPriority,
  taskTimeoutMs,
  workerMemoryMib,
  tasksFile,
  codecFile,
  logger,
}) => {
  const pool = new TaskProcesses({
    size: threads,
    priority: workerPriority,
    timeoutMs: taskTimeoutMs,
    memoryMib: workerMemoryMib,
    tasksFile,
    codecFile,
  })
  await pool.ready()
  const queue = new WorkQueue<TaskJob, TaskReply>({
    slots: pool.slots,
    jobsPerMessage: 1,
    lost: 'TASK_FAILED',
    dispatch: (jobs, slot) => pool.dispatch({ kind: 'tasks', jobs, slot }),
  })
  return {
    ...runQueued(queue, logger),
    lane: { workers: threads, oldestWaitMs: () => queue.oldestWaitMs() },
    readPool: async () => ({ size: threads, queueLength: queue.length, threadCpuMicros: new Map() }),
    childUsage: () => pool.usage(),
    kill: () => pool.kill(),
    close: () => pool.close(),
  }
}
