import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Calls a function outside of the asynchronous context of any request (`outside(fn, ...args)`). What serves several
 * requests, such as a timer, a thread or a message with jobs of many, would otherwise run in the context of the request
 * that happened to begin it. A context that the function enters by itself ends with it.
 */
export const outside = AsyncLocalStorage.snapshot()
