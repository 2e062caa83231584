import type { Exercise } from '../exercise.ts'

export const pool: Exercise = {
  name: 'pool',
  title: 'move a task to a pool',
  task: `The compute implementation \`threads\` does what \`inline\` does: it runs CPU tasks on the main thread, which is busy all
the time, so that the simplest route, /hello, waits as long as all others.

Make \`threads\` run tasks in threads of a pool. The threads exist: \`TaskThreads\` in workers/main-thread/task-threads.ts.
So does the queue in which tasks wait on the main thread: \`WorkQueue\` in lib/main-thread/work-queue.ts. Join the two in
\`startTaskThreads\` of workers/main-thread/queued-threads.ts, and use it in app/concerns/compute/threads.ts.`,
  symptom: {
    command: 'npm start -- --step 0 --compute threads --load 50',
    look: 'http://127.0.0.1:4318/ shows how busy the main thread is',
  },
  hints: [
    'app/concerns/compute/processes.ts does all of it with child processes. How many lines of it would differ for threads?',
    `The queue gives jobs away by its option \`dispatch(jobs, slot)\`; TaskThreads has a method of that name. \`slots\` is the
number of messages that may be on their way, which the pool knows. \`runQueued\` of queued.ts makes \`run\` of a
queue.`,
    `\`operated\` has the queue, \`kill\` and \`readPool\`. This returns \`size\`, \`queueLength\` and \`threadCpuMicros\`; the pool reads the last one with \`readCpuMicros()\`. Wait
for \`pool.ready()\` before you return. \`answer\` is for step 7, and may be left out.`,
  ],
  after: `Start the service again: a second lane of the live page fills up, and /hello answers at once. Ask what a task costs
the main thread now, and how long a task must run for that to pay (docs/break-even.md).`,
}
