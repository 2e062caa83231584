import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Calls a function outside of the asynchronous context of any request (`outside(fn, ...args)`). What serves several requests, such as
 * a timer or a message with jobs of many, would otherwise run in the context of the request that happened to begin it.
 */
export const outside = AsyncLocalStorage.snapshot()
