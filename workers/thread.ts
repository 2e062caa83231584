import { setImmediate as turn } from 'node:timers/promises'
import type { Transferable } from 'node:worker_threads'
import { lowerPriority } from '../lib/os/lower-priority.ts'
import { outside } from '../lib/threads/outside.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import { monotonicMs } from '../lib/units.ts'
import type { MakeAnswer } from './answers.ts'
import { AsyncTasks } from './async-tasks.ts'
import type { AnswersFile } from './job.ts'
import { type JobRun, loadAnswers, loadTasks } from './job-run.ts'
import { MessageRun, type Tell } from './message-run.ts'
import { unpackJob } from './packing.ts'
import type { ThreadData, ThreadMessage } from './protocol.ts'
import { loadTaskFile, namesOf } from './run-tasks.ts'

/** If tasks may not run twice, replies wait no longer than this for the others of their message. */
const FLUSH_MS = 2

const { data, port } = await receiveSetup<ThreadData>()
const { started, unwanted, beats, concurrentTasks, taskTimeoutMs, idempotent, priority, answers, ...files } =
  data
const begin = await loadTasks(files)
let makeAnswer: MakeAnswer | undefined = answers && (await loadAnswers(answers))
// The priority is lowered after loading: threads that loading starts serve the whole process, and would get the lower
// priority too.
lowerPriority(priority)

const tell: Tell = (reply, transferList) => port.postMessage(reply, transferList as Transferable[])
const messages: MessageRun[] = []
/** The jobs that are not done, by their ids. */
const open = new Map<number, JobRun>()
let isBusy = false
/** The message whose jobs run, or did last. */
let current: MessageRun | undefined
const asynchronous = new AsyncTasks(concurrentTasks, taskTimeoutMs, beats)

port.on('message', (message: ThreadMessage) => {
  if (message.kind === 'cancel') return open.get(message.id)?.cancel()
  if (message.kind === 'answers') return void takeAnswers(message)
  // All jobs of a message begin at once, so that what they fetch is on its way while tasks of earlier jobs run.
  const runs = message.jobs.map(job => outside(begin, unpackJob(job), makeAnswer))
  messages.push(new MessageRun(message, runs, open, tell))
  if (!isBusy) void work()
})
tell({ kind: 'ready', tasks: namesOf(await loadTaskFile(files.tasksFile)) })

async function takeAnswers(file: AnswersFile): Promise<void> {
  makeAnswer = await loadAnswers(file)
  tell({ kind: 'answers' })
}

// A task that ends its thread, or throws where nobody catches it, costs no other task its reply.
if (!idempotent) process.on('exit', () => current?.flush())

/** Runs the tasks of all messages in turn. Between two jobs, this thread reads its messages and its connections. */
async function work(): Promise<void> {
  isBusy = true
  for (let message = messages.shift(); message; message = messages.shift()) {
    let flushedAtMs = monotonicMs()
    current = message
    for (const [index, run] of message.runs.entries()) {
      if (!idempotent && index > 0 && monotonicMs() > flushedAtMs + FLUSH_MS) {
        message.flush()
        flushedAtMs = monotonicMs()
      }
      Atomics.store(started, message.slot, index + 1)
      if (isUnwanted(message.slot, index)) run.giveUp(new Error('nobody wants it any more'))
      const running = outside(() => run.runTasks())
      if (running && concurrentTasks === 1) await running
      Atomics.store(started, message.slot, -(index + 1))
      if (running && concurrentTasks > 1) await asynchronous.add(run, running)
      if (open.size > 0) await turn()
    }
    message.answer()
  }
  isBusy = false
}

/** Whether the signal of a job that has not begun was aborted. */
function isUnwanted(slot: number, index: number): boolean {
  return (Atomics.load(unwanted, slot) & (1 << index)) !== 0
}
