/**
 * Replaces properties of objects, and takes that back. Its text is sent with that of `watchInside`, so it uses nothing from outside
 * of the function.
 */
export function createReplacing() {
  const replaced: (() => void)[] = []
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the object may be any
    replace(object: any, name: string | symbol, wrapper: unknown) {
      const [isOwn, real] = [Object.hasOwn(object, name), object[name]]
      object[name] = wrapper
      replaced.push(() => {
        // A wrapper that somebody else has put around ours in the meantime is theirs and stays.
        if (object[name] !== wrapper) return
        if (isOwn) object[name] = real
        else Reflect.deleteProperty(object, name)
      })
    },
    onUndo: (act: () => void) => void replaced.push(act),
    undo() {
      for (const each of replaced.splice(0).reverse()) each()
    },
  }
}

export type Replacing = ReturnType<typeof createReplacing>

/**
 * Makes what a service does cheaper or dearer, without changing an answer. Its text is sent with that of `watchInside`. Each
 * function says what it has changed; `replacing.undo` takes it back.
 */
export function changeInside(load: typeof require, { replace, onUndo, undo }: Replacing) {
  const { syncBuiltinESMExports } = load('node:module')
  /** A change ends by itself after this time: who has begun it was killed. A turn is much shorter. */
  const MOST_MS = 5000
  /** Calls of the condition of a breakpoint, see `slow-function.ts`. */
  let calls = 0
  let delayMs = 0
  const slow = () => {
    calls++
    const endsAtMs = performance.now() + delayMs
    while (delayMs > 0 && performance.now() < endsAtMs);
    return false
  }

  /** Lines are answered at once, and are written when this is taken back: none is lost, unless a signal kills the process. */
  function stdout(): string[] {
    const fs = load('node:fs')
    const held: (() => void)[] = []
    const stream = process.stdout
    const { write } = stream
    const { writeSync } = fs
    const asleep = new Int32Array(new SharedArrayBuffer(4))
    /** A pipe takes a part, or nothing (EAGAIN), while its reader is slow. */
    function writeAll(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(1, bytes, at)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
          Atomics.wait(asleep, 0, 0, 1)
        }
      }
    }
    function flush(): void {
      for (const each of held.splice(0)) {
        try {
          each()
        } catch {
          // Nobody reads any more, or it was nothing that can be written.
        }
      }
    }
    // This comes first, and so is called last: what is written meanwhile is not held.
    onUndo(flush)
    replace(stream, 'write', (chunk: string | Uint8Array, encoding?: BufferEncoding, done?: () => void) => {
      const [callback, as] = typeof encoding === 'function' ? [encoding, undefined] : [done, encoding]
      // Who has been answered may use the memory for something else.
      const kept = typeof chunk === 'string' ? chunk : Buffer.from(chunk)
      held.push(() => write.call(stream, kept, as))
      if (callback) process.nextTick(callback)
      return true
    })
    /** Keeps the bytes of a call of `fs.write` to stdout. @returns their number; -1 if the call has to be made now */
    function hold(data: string | Uint8Array, [at, length]: readonly unknown[]): number {
      const isText = typeof data === 'string'
      if (!isText && !(data instanceof Uint8Array && typeof (at ?? 0) === 'number')) {
        flush()
        return -1
      }
      const from = Number(at ?? 0)
      const bytes = isText
        ? Buffer.from(data, length as BufferEncoding)
        : Buffer.from(data.subarray(from, from + Number(length ?? data.length)))
      held.push(() => writeAll(bytes))
      return bytes.length
    }
    // pino writes to the file descriptor, and waits for that or not.
    replace(fs, 'writeSync', (fd: number, data: string, ...rest: readonly unknown[]) => {
      const count = fd === 1 ? hold(data, rest) : -1
      return count < 0 ? writeSync(fd, data, ...rest) : count
    })
    const { write: writeLater } = fs
    function writeAsync(fd: number, data: string, ...rest: readonly unknown[]): void {
      const done = rest.at(-1) as ((error: null, count: number, data: string) => void) | undefined
      const count = fd === 1 && typeof done === 'function' ? hold(data, rest.slice(0, -1)) : -1
      if (count < 0) writeLater(fd, data, ...rest)
      else setImmediate(() => done?.(null, count, data))
    }
    // `promisify` reads a property of it.
    Object.defineProperties(writeAsync, Object.getOwnPropertyDescriptors(writeLater))
    replace(fs, 'write', writeAsync)
    return ['process.stdout.write', 'fs.write and fs.writeSync to stdout']
  }

  /** A function that an instrumentation has put in the place of another, and the one that stands behind all of these. */
  interface Wrapper {
    readonly __original?: Wrapper
    readonly __sentry_original__?: Wrapper
    __unwrap?(): void
  }
  function realOf(wrapper: Wrapper | undefined): Wrapper | undefined {
    const real = wrapper?.__original ?? wrapper?.__sentry_original__
    return typeof real === 'function' && real !== wrapper ? (realOf(real) ?? real) : undefined
  }

  /** All functions that OpenTelemetry has wrapped in objects of the service, such as the handlers of Express. */
  function findWrappers(): Wrapper[] {
    const session = new (load('node:inspector').Session)()
    session.connect()
    const found: Wrapper[] = []
    const key = Symbol.for('main-thread.found')
    const keep = (all: readonly Wrapper[]) =>
      void found.push(...all.filter(each => Object.hasOwn(each, '__wrapped') && realOf(each)))
    Object.assign(globalThis, { [key]: keep })
    const functionDeclaration = "function() { globalThis[Symbol.for('main-thread.found')](this) }"
    type Answer = Record<'result' | 'objects', { objectId: string }>
    // Each answer comes before `post` returns.
    session.post('Runtime.evaluate', { expression: 'Function.prototype' }, (_: unknown, { result }: Answer) =>
      session.post(
        'Runtime.queryObjects',
        { prototypeObjectId: result.objectId },
        (_: unknown, { objects: { objectId } }: Answer) =>
          session.post('Runtime.callFunctionOn', { objectId, functionDeclaration }),
      ),
    )
    session.disconnect()
    Reflect.deleteProperty(globalThis, key)
    return found
  }

  /** Where a wrapper is: it would define the property anew to take itself away, and that is looked at, and not done. */
  function placeOf(wrapper: Wrapper): [object: object, name: string | symbol] | undefined {
    const { defineProperty } = Object
    let place: [object, string | symbol] | undefined
    Object.defineProperty = <T>(object: T, name: string | symbol | number) => {
      place = [object as object, name as string]
      return object
    }
    try {
      wrapper.__unwrap?.()
    } finally {
      Object.defineProperty = defineProperty
    }
    return place
  }

  let wrappers: Wrapper[] | undefined

  /** The functions that were there before an instrumentation, nothing for its channels, and no span or record of a log. */
  function apm(): string[] {
    const counts = new Map<string, number>()
    // biome-ignore lint/suspicious/noExplicitAny: the object may be any
    function change(name: string, object: any, property: string | symbol, by: unknown) {
      replace(object, property, by)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const [http, https] = ['node:http', 'node:https'].map(load)
    const places = {
      http,
      https,
      'http.Server.prototype': http.Server.prototype,
      'https.Server.prototype': https.Server.prototype,
      globalThis,
    }
    for (const [place, object] of Object.entries(places)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
        const real = realOf(value)
        if (real) change(`${place}.${name}`, object, name, real)
      }
    }
    // biome-ignore lint/suspicious/noExplicitAny: the API of OpenTelemetry, if the service has it
    const { trace, logs } = (globalThis as any)[Symbol.for('opentelemetry.js.api.1')] ?? {}
    if (!trace) return [...counts.keys()]
    const sampler = trace.getDelegate?.().getTracer('main-thread')._sampler
    if (sampler)
      change("the sampler of OpenTelemetry's SDK", sampler, 'shouldSample', () => ({ decision: 0 }))
    const logger = logs && Object.getPrototypeOf(logs.getLogger('main-thread'))
    if (logger) change("emit of OpenTelemetry's loggers", logger, 'emit', () => {})
    wrappers ??= findWrappers()
    for (const wrapper of wrappers) {
      const [object, name] = placeOf(wrapper) ?? []
      if (object && name !== undefined && Reflect.get(object, name) === wrapper)
        change(`${object.constructor?.name ?? 'an object'}.${String(name)}`, object, name, realOf(wrapper))
    }
    for (const event of [
      'request:create',
      'client:sendHeaders',
      'request:headers',
      'request:trailers',
      'request:error',
    ]) {
      const channel = load('node:diagnostics_channel').channel(`undici:${event}`)
      if (channel.hasSubscribers) change('the channels of undici', channel, 'publish', () => {})
    }
    return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count} ×)` : name))
  }

  return {
    /** Begins a change. @returns what is changed */
    begin(what: 'stdout' | 'apm'): string[] {
      // These come first, and so are called last, when everything is as it was.
      onUndo(syncBuiltinESMExports)
      const limit = setTimeout(undo, MOST_MS).unref()
      process.prependListener('exit', undo)
      onUndo(() => {
        clearTimeout(limit)
        process.off('exit', undo)
      })
      const changed = { stdout, apm }[what]()
      syncBuiltinESMExports()
      return changed
    },
    /** Lets each call of a function with a breakpoint take this much longer. @returns the number of calls so far */
    slow(micros: number): number {
      delayMs = micros / 1000
      const key = Symbol.for('main-thread.slow')
      if (!Object.hasOwn(globalThis, key)) replace(globalThis, key, slow)
      return calls
    },
  }
}
