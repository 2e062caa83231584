import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { HEADERS, type Holder, SPAN } from './calls.ts'
import type { Answer } from './recorder.ts'

/**
 * The answer or the span of own code for which the running code works. It is the object that holds the open span, so work
 * that goes on after the answer was sent has no span any more.
 */
export const current = new AsyncLocalStorage<Holder>()

export const currentSpan = () => current.getStore()?.[SPAN]
export const currentHeaders = () => current.getStore()?.[HEADERS]

/** Makes each request the current one for everything that runs for it. */
export function followRequests(): void {
  channel('http.server.request.start').subscribe(message =>
    current.enterWith((message as { readonly response: Answer }).response),
  )
}
