import type { Exercise } from '../exercise.ts'

export const render: Exercise = {
  name: 'render',
  title: 'render a part in a thread',
  task: `Exercise 1 was the main thread's side of a pool. This is the other side: a render thread gets commands with parts of a page,
and render/render-string.ts says of each that it renders none.

Write its \`renderString\`: render the element, write its HTML, and end the page. The HTML has to be handed over without a copy
(render/thread.ts). And a component may end its thread: the main thread must then know which part it was, from memory that
outlives the thread (\`run\` of render/made-page.ts).`,
  symptom: {
    command: 'npm start -- --step 6 --rendering parts',
    look: 'http://127.0.0.1:3000/page is an error',
  },
  hints: [
    `\`react.renderToString(element)\` returns the HTML, or throws what the component throws. \`explain\` fails the page, and
finds the component that threw. Before the HTML, tell the report: \`noteShell\`, \`noteHead\`, \`noteReady\`; after it, \`page.end()\`.`,
    `A chunk has \`html\`, a Uint8Array; its memory is \`html.buffer\`. What is in the list of transfers changes its owner:
afterwards it is empty here.`,
    `Each part has a slot in shared memory. \`this.#thread.mark(slot, PageState.runs)\` notes before its code runs that it does;
afterwards it is \`isDue\` or \`waits\`.`,
  ],
  after: `Start the service again and reload the page. Ask what the main thread still does for it (it passes on bytes), what a copy of 90 KB would cost, and why
one string from a thread beats many small chunks (docs/rendering.md).`,
}
