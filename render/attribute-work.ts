import { AsyncLocalStorage } from 'node:async_hooks'
import { outside } from '../lib/threads/outside.ts'

/** Runs the work of a page, and knows from that which page the thread works for. */
export interface WorkOwner {
  run(work: () => void): void
}

const owners = new AsyncLocalStorage<WorkOwner | undefined>()

const immediately = setImmediate

/** Calls back in the next turn of the event loop, in the asynchronous context of no page. */
export const scheduleOwnWork = (work: () => void): unknown => outside(immediately, work)

/** Runs a function, and all work that it schedules later, for an owner. It sees no store of anybody else. */
export const outsideFor = <Result>(owner: WorkOwner | undefined, work: () => Result): Result =>
  outside(() => owners.run(owner, work))

/** Runs work of an owner at once. */
export const runFor = (owner: WorkOwner, work: () => void): void => outsideFor(owner, () => owner.run(work))

/** Enters the present asynchronous context again, for work of an owner. */
export type Reenter = (work: () => void) => void

/** Keeps the present asynchronous context, such as the stores that code of a page has entered, for later work of its owner. */
export const keepContext = (owner: WorkOwner): Reenter =>
  owners.run(owner, () => AsyncLocalStorage.snapshot() as Reenter)

/** The owner for which the present code runs. */
export const presentOwner = (): WorkOwner | undefined => owners.getStore()

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
