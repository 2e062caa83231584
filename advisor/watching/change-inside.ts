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
  }
  function realOf(wrapper: Wrapper | undefined): Wrapper | undefined {
    const real = wrapper?.__original ?? wrapper?.__sentry_original__
    return typeof real === 'function' && real !== wrapper ? (realOf(real) ?? real) : undefined
  }

  /** The functions of Node.js that were there before an instrumentation, nothing for its channels, and no span or record of a log. */
  function apm(): string[] {
    const changed = new Set<string>()
    // biome-ignore lint/suspicious/noExplicitAny: the object may be any
    function change(name: string, object: any, property: string, by: unknown) {
      replace(object, property, by)
      changed.add(name)
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
    const sampler = trace?.getDelegate?.().getTracer('main-thread')._sampler
    if (sampler)
      change("the sampler of OpenTelemetry's SDK", sampler, 'shouldSample', () => ({ decision: 0 }))
    const logger = logs && Object.getPrototypeOf(logs.getLogger('main-thread'))
    if (logger) change("emit of OpenTelemetry's loggers", logger, 'emit', () => {})
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
    return [...changed]
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
