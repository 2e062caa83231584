import type { Exercise } from '../exercise.ts'

export const fifo: Exercise = {
  name: 'fifo',
  title: 'find why first in, first out matters',
  task: `Somebody changed the queue in front of the pools "to answer fresh requests first". Goodput stayed, p50 even fell, and
then users complained that the service hangs, though not for everyone.

Find the cause in the queue, and mend it. Say first who is hurt, and why a median cannot show it.`,
  symptom: {
    command: 'npm start -- --step 1 --load 50',
    look: 'http://127.0.0.1:4318/ shows p99, which is seconds at times, beside a good p50',
  },
  hints: [
    'The queue is lib/main-thread/work-queue.ts. Which method decides whose job goes next?',
    `A JavaScript \`Set\` keeps the order in which values were added, and deleting a value costs no search. So the first values
of \`#waiting\` are the oldest jobs.`,
    'An iterator has `take`: `this.#waiting.values().take(n)` are the n oldest, without a copy of the whole queue.',
  ],
  after: `A closed loop hides this kind of fault from goodput and median: the few clients that are served ask again at once, and the
others wait. Ask which other queues of a service are not first in, first out: libraries (the pool Piscina by default),
connection pools, load balancers. Only p99, the longest wait, or counts by client show them.`,
  loadPoints: async () => (await import('./points.ts')).points,
}
