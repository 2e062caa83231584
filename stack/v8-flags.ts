/**
 * Flags of V8 for a process. Node.js 22, 24 and 26 have all of them.
 *
 * The app, memory: V8 makes objects in the old generation at once where objects have survived their first collections
 * (pretenuring). While an app starts, all objects survive, so objects of requests may be chosen by chance. In the old
 * generation each keeps young objects alive until the next collection of all objects, and the main thread copies these.
 * `node --trace-gc` shows it: after each collection the heap is larger.
 *
 * The app, optimization: V8 optimizes a function after 400 calls, and fully after 3000, and waits for
 * 500 more calls after a function has seen objects of a new kind. A main thread that hands its work to others runs each function
 * about once for a request, so it would run slow code for minutes after each start.
 *
 * logger-transport: the lines that it reads live as long as their delivery. Without bounds, V8 lets the space for new
 * objects grow under full load, and collects the old ones late. About 15 MiB of the heap are in use after a collection.
 */
export const v8Flags: Readonly<Record<string, readonly string[]>> = {
  app: [
    '--no-allocation-site-pretenuring',
    '--invocation-count-for-maglev=100',
    '--invocation-count-for-turbofan=500',
    '--minimum-invocations-after-ic-update=100',
  ],
  'logger-transport': ['--max-semi-space-size=4', '--max-old-space-size=64'],
}
