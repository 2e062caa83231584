import { type Context, type ContextManager, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { ApiSpan } from './api-span.ts'
import { HEADERS, type Holder, SPAN, SUPPRESSED } from './calls.ts'
import { current } from './current.ts'
import { headersIn, traceStateIn, withBaggage } from './otel-propagation.ts'
import type { Recorder } from './recorder.ts'

/** The property of an answer with the context that was made for it. */
const CONTEXT = Symbol('context')

/** A context of the service's own code, which is current while a function runs. */
class Scope implements Holder {
  readonly context: Context
  readonly #holder: Holder | undefined
  #headers: Readonly<Record<string, string>> | undefined

  constructor(context: Context) {
    this.context = context
    const span = trace.getSpan(context)
    this.#holder = span instanceof ApiSpan ? span.holder : undefined
  }

  get [SPAN]() {
    return this.#holder?.[SPAN] ?? 0
  }

  get [SUPPRESSED]() {
    return isTracingSuppressed(this.context)
  }

  get [HEADERS]() {
    this.#headers ??= headersIn(this.context)
    return this.#headers
  }
}

/** Shows the current request, or the current span of own code, as the active context of OpenTelemetry's API. */
export function createContextManager(recorder: Recorder): ContextManager {
  const contextOf = (holder: Holder & { [CONTEXT]?: Context }): Context => {
    if (!holder[CONTEXT] && holder[SPAN]) {
      const carried = recorder.carried(holder[SPAN])
      const span = new ApiSpan(recorder, holder, traceStateIn(carried))
      holder[CONTEXT] = withBaggage(trace.setSpan(ROOT_CONTEXT, span), carried)
    }
    return holder[CONTEXT] ?? ROOT_CONTEXT
  }
  const manager: ContextManager = {
    active() {
      const holder = current.getStore()
      if (holder instanceof Scope) return holder.context
      return holder ? contextOf(holder) : ROOT_CONTEXT
    },
    with: (context, run, thisArg, ...args) =>
      current.run(new Scope(context), () => run.apply(thisArg as ThisParameterType<typeof run>, args)),
    bind(context, target) {
      if (typeof target !== 'function') return target
      const run = target as unknown as (...args: unknown[]) => unknown
      return ((...args: unknown[]) => manager.with(context, run, undefined, ...args)) as typeof target
    },
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}
