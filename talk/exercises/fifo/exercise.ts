import type { Exercise } from '../exercise.ts'

export const fifo: Exercise = {
  name: 'fifo',
  title: 'find why first in, first out matters',
  task: `Somebody changed the queue in front of the pools "to answer fresh requests first". Goodput and p50 stayed
as they were. Then users complained that the service hangs, though not for everyone.

Find the cause in the queue, and mend it. Say first who is hurt, and why a median cannot show it.`,
  symptom: {
    command: 'npm start -- --step 1 --load 50',
    look: 'http://127.0.0.1:4318/ shows p50 and p99; compare both before and after your change',
  },
  hints: [
    'The queue is lib/main-thread/work-queue.ts. Which method decides whose job goes next?',
    `\`LinkedList\` (lib/main-thread/collections.ts) keeps the order in which items were added, and removing one costs no
search. So the first items of \`#waiting\` are the oldest jobs.`,
    'The list has `shift`: it removes the oldest job, without a copy of the whole queue.',
  ],
  after: `A closed loop hides this kind of fault from goodput and median: the few clients that are served ask again at once, and the
others wait. Ask which other queues of a service are not first in, first out: libraries (the pool Piscina by default),
connection pools, load balancers. Only p99, the longest wait, or counts by client show them.`,
}
