import type { Exercise } from '../exercise.ts'

export const slices: Exercise = {
  name: 'slices',
  title: 'cut a long task into slices',
  task: `Not every task can leave the main thread: it may need objects that no message can carry. talk/exercises/slices/count-in-slices.ts
counts subsets as the task of /cpu does, and holds up everything else until it is done.

Cut it into slices: after some milliseconds, let the event loop turn once before you go on. A task whose client has left has to
stop at the next slice.`,
  hints: [
    `\`setImmediate\` of node:timers/promises ends one turn of the event loop: timers and connections are served before it goes on.
A promise that is already resolved does not: microtasks run before anything else.`,
    'Look at the clock every thousand subsets, not at each one: `performance.now()` costs more than a subset.',
    '`signal.throwIfAborted()` after each turn stops a task whose client has left.',
  ],
  after: `Ask what a slice costs (two turns of the loop), how long it may be (the p99 that /hello may have), and why all of the work is still
on the main thread: slicing makes others wait less, and costs them no less.`,
}
