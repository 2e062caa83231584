import type { Exercise } from '../exercise.ts'

export const uvpool: Exercise = {
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
}
