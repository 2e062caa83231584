import type { Exercise } from '../exercise.ts'

export const render: Exercise = {
  name: 'render',
  title: 'render a part in a thread',
  task: `Exercise 1 was the main thread's side of a pool. This is the other side: render/part-thread.ts gets messages with parts of a
page, and render/answer-parts.ts answers that it renders none.

Write its \`answer\`: render the parts of a message one after the other with \`renderCall\` of render/execute.ts, and reply once,
in their order. The HTML has to be handed over without a copy. And a component may end its thread: the main thread must then
know which part it was, from memory that outlives the thread.`,
  symptom: {
    command: 'npm start -- --step 6 --rendering parts',
    look: 'http://127.0.0.1:3000/page is an error',
  },
  hints: [
    `\`renderCall(components, call)\` returns a reply, or a promise of one if the part failed. \`tell\` takes the message and the
list of buffers to transfer.`,
    `An HTML reply has \`html\`, a Uint8Array; its memory is \`html.buffer\`. What is in the list of transfers changes its owner:
afterwards it is empty here.`,
    `\`started\` is shared memory with a number for each slot: how many parts of the message were begun. Store it with
\`Atomics.store(started, slot, number)\` before each part, and 0 when all are done.`,
  ],
  after: `Start the service again and reload the page. Ask what the main thread still does for it (it passes on bytes), what a copy of 90 KB would cost, and why
one string from a thread beats many small chunks (docs/rendering.md).`,
}
