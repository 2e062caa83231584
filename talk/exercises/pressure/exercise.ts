import type { Exercise } from '../exercise.ts'

export const pressure: Exercise = {
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
}
