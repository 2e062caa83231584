import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs the work of a page, and knows from that which page the thread works for. */
export interface WorkOwner {
  run(work: () => void): void
}

const owners = new AsyncLocalStorage<WorkOwner>()

/** `setImmediate` for work of no page. */
export const scheduleOwnWork: typeof setImmediate = setImmediate

/** Runs a function at once, and all work that it schedules later, for an owner. */
export const runFor = (owner: WorkOwner, work: () => void): void => owners.run(owner, () => owner.run(work))

/**
 * Makes `setImmediate` and `queueMicrotask` of this thread run work through its owner. React schedules its rendering with
 * these two, so this has to be called before React is loaded.
 */
export function attributeWork(): void {
  for (const name of ['setImmediate', 'queueMicrotask'] as const) {
    const schedule = globalThis[name] as (work: (...args: unknown[]) => void, ...args: unknown[]) => unknown
    const attributed = (work: (...args: unknown[]) => void, ...args: unknown[]) => {
      const owner = owners.getStore()
      return owner ? schedule(() => owner.run(() => work(...args))) : schedule(work, ...args)
    }
    // `setImmediate` has a promisified form among its properties.
    Object.assign(globalThis, {
      [name]: Object.defineProperties(attributed, Object.getOwnPropertyDescriptors(schedule)),
    })
  }
}
