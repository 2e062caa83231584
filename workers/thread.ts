import { setImmediate as turn } from 'node:timers/promises'
import { receiveMessageOnPort, type Transferable } from 'node:worker_threads'
import { lowerPriority } from '../lib/os/process.ts'
import { readThreadId } from '../lib/os/usage.ts'
import { outside } from '../lib/threads/outside.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import { monotonicMs } from '../lib/units.ts'
import type { MakeAnswer } from './answers.ts'
import { AsyncTasks } from './async-tasks.ts'
import type { AnswersFile } from './job.ts'
import { JobRun, loadAnswers } from './job-run.ts'
import { MessageRun, type Tell } from './message-run.ts'
import { unpackJob } from './packing.ts'
import type { ThreadData, ThreadMessage } from './protocol.ts'
import { loadTaskFile, namesOf } from './run-tasks.ts'

/** A reply waits no longer for others of its message, and for no task that takes half of it; the second: if tasks may run twice. */
const [FLUSH_MS, IDEMPOTENT_FLUSH_MS] = [20, 40]
/** While messages come, the event loop of the thread turns after this time, for what tasks have left behind. */
const TURN_MS = 2

const { data, port } = await receiveSetup<ThreadData>()
const { started, unwanted, beats, concurrentTasks, taskTimeoutMs, idempotent, priority, answers } = data
const flushMs = idempotent ? IDEMPOTENT_FLUSH_MS : FLUSH_MS
const tasks = await loadTaskFile(data.tasksFile)
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
  take(message)
  if (!isBusy && messages.length > 0) void work()
})
tell({ kind: 'ready', osThreadId: readThreadId(), tasks: namesOf(tasks) })

function take(message: ThreadMessage): void {
  if ('kind' in message)
    return message.kind === 'cancel' ? open.get(message.id)?.cancel() : void takeAnswers(message)
  // All jobs of a message begin at once, so that what they fetch is on its way while tasks of earlier jobs run.
  const [slot, firstId, jobs] = message
  const runs = jobs.map(job => outside(() => new JobRun(unpackJob(job), tasks, makeAnswer)))
  messages.push(new MessageRun(slot, firstId, runs, open, tell))
}

async function takeAnswers(file: AnswersFile): Promise<void> {
  makeAnswer = await loadAnswers(file)
  tell({ kind: 'answers' })
}

// A task that ends its thread, or throws where nobody catches it, costs no other task its reply.
if (!idempotent) process.on('exit', () => current?.flush())

/**
 * Runs the tasks of all messages in turn. Between two jobs, this thread reads its messages and its connections if a job waits
 * for these, and from time to time for what tasks have left behind.
 */
async function work(): Promise<void> {
  isBusy = true
  let turnedAtMs = monotonicMs()
  let hasRun = false
  do {
    for (let message = messages.shift(); message; message = messages.shift()) {
      let nowMs = monotonicMs()
      let flushedAtMs = nowMs
      current = message
      for (const [index, run] of message.runs.entries()) {
        const isLong = run.expectedMs > flushMs / 2 || nowMs > flushedAtMs + flushMs
        if (isLong) message.flush()
        // What other tasks have left behind may end the thread, and no task that waits is to blame for that.
        if (isLong || (hasRun && run.mayWait)) await turn()
        const beganAtMs = monotonicMs()
        if (isLong) flushedAtMs = beganAtMs
        Atomics.store(started, message.slot, index + 1)
        const isUnwanted = (Atomics.load(unwanted, message.slot) & (1 << index)) !== 0
        if (isUnwanted) run.giveUp(new Error('nobody wants it any more'))
        const running = outside(() => run.runTasks())
        if (running && concurrentTasks === 1) await running
        Atomics.store(started, message.slot, -(index + 1))
        nowMs = monotonicMs()
        if (!isUnwanted) run.note(nowMs - beganAtMs, running !== undefined)
        if (running && concurrentTasks > 1) {
          message.keepOpen(index)
          const hasRoom = asynchronous.add(run, running)
          if (hasRoom) message.flush()
          await hasRoom
        }
        hasRun = true
        if (open.size === 0 && nowMs < turnedAtMs + TURN_MS) continue
        await turn()
        turnedAtMs = nowMs
        hasRun = false
      }
      message.answer()
    }
    await undefined
  } while (messages.length > 0 || (open.size === 0 && hasCome()))
  isBusy = false
}

/** Takes the messages that have come, without a turn of the event loop. @returns whether one has jobs */
function hasCome(): boolean {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message)
  return messages.length > 0
}
