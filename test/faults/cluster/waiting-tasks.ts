const SLOWNESS = Number(process.env.DMT_TEST_SLOWNESS ?? 1)
const nothing = new Int32Array(new SharedArrayBuffer(4))

/** A task that takes its thread for a time and needs no CPU time, so that machines of any speed fit on one. It says how slow this one is. */
export const tasks = {
  wait({ ms }: { readonly ms: number }): number {
    Atomics.wait(nothing, 0, 0, ms * SLOWNESS)
    return SLOWNESS
  },
}
