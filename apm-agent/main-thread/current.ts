import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { EventEmitter } from 'node:stream'
import { HEADERS, type Holder, SPAN, SUPPRESSED, takeReports } from './calls.ts'
import type { Answer } from './recorder.ts'

/**
 * The answer or the span of own code for which the running code works. It is the object that holds the open span, so work
 * that goes on after the answer was sent has no span any more.
 */
export const current = new AsyncLocalStorage<Holder | undefined>()

export const currentSpan = () => current.getStore()?.[SPAN]
export const currentHeaders = () => current.getStore()?.[HEADERS]
export const isSuppressed = () => current.getStore()?.[SUPPRESSED] === true

type Emit = EventEmitter['emit']

/** The properties of a message of node:http with what is current for its listeners, and with its own `emit`. */
const FOR = Symbol('for')
const EMIT = Symbol('emit')

type Followed = EventEmitter & { [FOR]?: Holder | undefined; [EMIT]?: Emit }

/** Makes a request the current one for its handler, and for the listeners of its events and of those of its answer. */
export function followRequest(request: IncomingMessage, answer: Answer): void {
  current.enterWith(answer)
  follow(request, answer)
  follow(answer, answer)
}

/** Does the same for the calls of node:http that a request makes. */
export function followHttpCalls(): void {
  takeReports('http.client.request.created', ({ request }: { readonly request: ClientRequest }) =>
    follow(request, current.getStore()),
  )
  takeReports(
    'http.client.response.finish',
    ({ request, response }: { readonly request: ClientRequest & Followed; readonly response: Followed }) =>
      follow(response, request[FOR]),
  )
}

/**
 * Node.js emits the events of a message in the context of its connection, which serves many requests. OpenTelemetry wraps each
 * listener instead; one function for all costs less.
 */
function follow(message: Followed, holder: Holder | undefined): void {
  message[FOR] = holder
  message[EMIT] = message.emit
  message.emit = emitFor
}

function emitFor(this: Followed, ...event: Parameters<Emit>): boolean {
  const holder = this[FOR]
  return current.getStore() === holder ? emit(this, event) : current.run(holder, emit, this, event)
}

const emit = (message: Followed, event: Parameters<Emit>): boolean =>
  (message[EMIT] as Emit).apply(message, event)
