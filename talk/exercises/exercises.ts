/** An exercise of the workshop. Its branch is main with the patch `talk/exercises/NAME/start.patch`, so main is its solution. */
interface Exercise {
  /** The name of its folder, which has the points of its check. */
  readonly name: string
  readonly title: string
  /** The task, in paragraphs that are separated by an empty line. */
  readonly task: string
  /** A command that shows the symptom, and where to look at it; undefined if only the check shows it. */
  readonly symptom?: { readonly command: string; readonly look: string }
  /** Each hint says more than the one before. */
  readonly hints: readonly string[]
  /** The text for a learner whose check passes: things to look at, and questions. */
  readonly after: string
  /** Makes a table that the task needs. */
  readonly table?: () => Promise<string>
}

/** An exercise with its place in the workshop, from 1. */
export interface NumberedExercise extends Exercise {
  readonly number: number
}

/** The name of the branch of an exercise, such as `exercise-1-pool`. */
export const branchOf = ({ number, name }: Pick<NumberedExercise, 'number' | 'name'>): string =>
  `exercise-${number}-${name}`

/** The command that a message tells the learner to type. */
export const commandFor = ({ number }: Pick<NumberedExercise, 'number'>, flag = ''): string =>
  `npm run exercise -- ${number}${flag && ` --${flag}`}`

/**
 * The exercises in their order: first that of the talk's steps, then two about measuring, and three about what threads of ours do
 * not solve.
 */
const all: readonly Exercise[] = [
  {
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
  },
  {
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
  },
  {
    name: 'kill',
    title: 'make a log line survive a kill',
    task: `A process can be killed at any moment (\`kill -9\`, out of memory), and then nothing of it runs any more: no \`finally\`, no
handler, no flush. The log lines that explain why it died are the last ones that it wrote. Two pieces that made them
survive are gone: one in the app's writer of segments, one in the process logger-transport, which delivers them.

Find both. For each, say which kill loses which lines, and what the piece costs.`,
    hints: [
      `Follow a line: \`SegmentWriter.write\` adds it to a string. When does it leave this process? What if no other line comes
for an hour?`,
      `A batch is written when it has 256 KiB, or at the next beat of a clock. \`#schedule\` is for the second case;
see who calls it.`,
      `In logger-transport/follow.ts the checkpoint says up to where a target has the lines. Imagine a kill between any two
lines of \`advance\`. Which order of "deliver" and "save the checkpoint" can lose a line, and which can only deliver it twice?`,
    ],
    after: `Lines of the last moment, since the last beat, are still lost with the app; docs/logging.md has the promises for each kill, and \`npm run test:faults --
logging\` kills real processes. Ask why "exactly once" is not among them, and how a reader finds lines that came twice.`,
  },
  {
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
      `\`react.renderToString(element)\` returns the HTML, or throws what the component throws, which fails the page.
Before the HTML, tell the report: \`noteShell\`, \`noteHead\`, \`noteReady\`; after it, \`page.end()\`.`,
      `A chunk has \`html\`, a Uint8Array; its memory is \`html.buffer\`. What is in the list of transfers changes its owner:
afterwards it is empty here.`,
      `Each part has a slot in shared memory. \`this.#thread.mark(slot, PageState.runs)\` notes before its code runs that it does;
afterwards it is \`isDue\` or \`waits\`.`,
    ],
    after: `Start the service again and reload the page. Ask what the main thread still does for it (it passes on bytes), what a copy of 90 KB would cost, and why
one string from a thread beats many small chunks (docs/rendering.md).`,
  },
  {
    name: 'predict',
    title: 'read a spectrum and predict',
    task: `A spectrum says where the CPU time of a thread goes. Before anything is moved, it says what a move can bring, and where
to begin. The table below is the published run of /demo, with 50 clients on two cores; the work in threads is that of one
worker.

Write your predictions into talk/exercises/predict/predictions.ts, with the sums that led to them. Then check them against what
was measured. docs/spectrum.md has the answers, so read it afterwards.`,
    hints: [
      `Amdahl: if a concern with the share s leaves completely, the cost falls to 1 - s of what it was. A share is of the main
thread's time at that step, not at step 0.`,
      `What bounds goodput once the main thread has time left? Look for the busiest thread: 1,000,000 divided by its CPU
microseconds a response is the most that it can do in a second.`,
      'A concern that a request does not use has no share, whatever it costs elsewhere.',
    ],
    after: `The measured gains are in docs/spectrum.md, at best and as measured. Some are larger than the share, because a concern
also causes garbage collection and work of HTTP. Ask why the ladder keeps the talk's order and the spectrum suggests another, and measure a
service of your own: npm run main-thread -- spectrum --help`,
    table: async () => (await import('./predict/published.ts')).renderShares(),
  },
  {
    name: 'omission',
    title: 'find a lie in a benchmark',
    task: `A benchmark promises 50 requests a second and reports p99 = 5 ms. During its run, of a second and a half, the server stood
still for 0.4 s. Both are true, and the report is a lie.

The load generator is loadtest/generator/open-loop.ts. Find what it leaves out, first in words: how many requests were due
while the server stood still, how long did each of them wait, and where are they in the report? Then correct it. The check
runs it against a server that pauses, in simulated time, so that every figure is exact.`,
    hints: [
      `A schedule says when each request is due. What does the generator do with requests that become due while it waits for an
answer?`,
      `Latency counts from the time when a request was due (\`nextAtMs\`), not from the time when the generator came round to send
it. The users of that request have waited since then.`,
      `Do not wait for answers: send everything that is due, note the promise in \`inFlight\`, and set a timer for the next request.
\`ask\` never rejects. \`stop\` waits for what is in flight.`,
    ],
    after: `This is coordinated omission (Tene, How NOT to Measure Latency): the measured system decides when it is measured. Ask which
tools do it (each client of a closed loop does), when a closed loop is right all the same (to find the capacity), and see
docs/method.md. \`npm run loadtest -- open --rate 100,200\` uses the file that you corrected.`,
  },
  {
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
  },
  {
    name: 'uvpool',
    title: "share libuv's pool",
    task: `Asynchronous calls of fs, zlib, crypto and dns.lookup run in four threads of libuv, which all of a process shares. Many slow
password hashes at once take all four, and a file of one byte waits behind them, although no thread of ours is busy.

talk/exercises/uvpool/hash-passwords.ts hashes all passwords at once. Let it have at most two at a time in the pool, first come,
first served, so that there is always room for others.`,
    hints: [
      'A limit needs two things: a number of calls that run, and a queue of those that wait.',
      'The call that ends lets the next one in. It must do so even if it failed.',
      '`Promise.withResolvers()` makes a promise that the queue can keep.',
    ],
    after: `UV_THREADPOOL_SIZE makes the pool larger, for the price of threads that take cores from the main thread. Ask which of your
dependencies use the pool, and who limits them.`,
  },
  {
    name: 'pressure',
    title: 'let a slow client slow the source down',
    task: `A page is made faster than a client on a train reads it. talk/exercises/pressure/pass-on.ts takes chunks from a source and writes
them to a client, however much the client has not read yet: a thousand slow clients are a thousand whole pages in memory.

Let the source wait while the client does not keep up, and end the source when the client has gone.`,
    hints: [
      '`write` returns false when the client has enough for now. It takes the chunk all the same.',
      'The event `drain` says that the client wants more. A client that goes away emits `close`, and never `drain`.',
      '`for await` over a source calls its `return` when the loop is left early, which ends the source.',
    ],
    after: `Look at lib/main-thread/send-stream.ts, which does this for /page, and at the credits with which a render thread waits
(docs/rendering.md). Ask where the chunks wait now: somewhere they always do.`,
  },
]

export const exercises: readonly NumberedExercise[] = all.map((exercise, index) => ({
  ...exercise,
  number: index + 1,
}))

/** The exercise with this number or name. */
export const findExercise = (text: string): NumberedExercise | undefined =>
  exercises.find(({ number, name }) => text === name || text === String(number))
