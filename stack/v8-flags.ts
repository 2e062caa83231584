/**
 * Flags of V8 for a process. The app: while it starts, all objects survive, and V8 would from then on make objects like them in the
 * old generation at once (pretenuring), among them objects of requests. And V8 optimizes a function after 400 calls, and fully after
 * 3000: a main thread that runs each function about once for a request would run slow code for minutes.
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
