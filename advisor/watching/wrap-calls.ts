/**
 * Wraps calls that V8's profiler does not tell, so that their time would be lost in their callers: it has no frame for
 * `JSON.parse`, `JSON.stringify` and the native calls of node:sqlite, and `process.stdout.write` looks like any other socket. The
 * wrappers make a frame in a script of their own. Its text is sent with that of `watchInside`, so it uses nothing from outside of
 * the function.
 * @returns a function that takes this back
 */
export function wrapCalls(load: typeof require): () => void {
  const { parse: realParse, stringify: realStringify } = JSON
  // Profiles show the names of these methods. A bundler renames functions, but no methods.
  const named = {
    parse: (text: string, reviver: never) => realParse(text, reviver),
    stringify: (value: unknown, replacer: never, space: never) => realStringify(value, replacer, space),
  }
  function wrapJson() {
    JSON.parse = named.parse
    JSON.stringify = named.stringify
    return () => {
      // A wrapper that somebody else has put around ours in the meantime is theirs and stays.
      if (JSON.parse === named.parse) JSON.parse = realParse
      if (JSON.stringify === named.stringify) JSON.stringify = realStringify
    }
  }

  /**
   * Wraps `write` of a stream such as `process.stdout` when the program next asks for the stream: to ask here would open it.
   * @returns a function that takes this back
   */
  function wrapWrite(name: 'stdout' | 'stderr') {
    const real = Object.getOwnPropertyDescriptor(process, name)
    if (!real?.get || !real.configurable) return () => {}
    let undo = () => {}
    const wrap = (stream: NodeJS.WriteStream) => {
      const [own, realWrite] = [Object.hasOwn(stream, 'write'), stream.write]
      const { write } = {
        write(...args: Parameters<typeof realWrite>) {
          return realWrite.apply(stream, args)
        },
      }
      stream.write = write as typeof realWrite
      undo = () => {
        if (stream.write !== write) return
        if (own) stream.write = realWrite
        else Reflect.deleteProperty(stream, 'write')
      }
    }
    let isWrapped = false
    const get = () => {
      const stream = real.get?.call(process)
      if (!isWrapped) wrap(stream)
      isWrapped = true
      return stream
    }
    Object.defineProperty(process, name, { ...real, get })
    return () => {
      undo()
      if (Object.getOwnPropertyDescriptor(process, name)?.get === get)
        Object.defineProperty(process, name, real)
    }
  }

  /** Wraps the calls of node:sqlite, which are native and have no module in profiles, if the program has loaded it. */
  function wrapSqlite() {
    const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] }
    if (!moduleLoadList.includes('NativeModule sqlite')) return () => {}
    const { DatabaseSync, StatementSync } = load('node:sqlite')
    const methods = [DatabaseSync, StatementSync].flatMap(({ prototype }) =>
      ['exec', 'prepare', 'all', 'get', 'run', 'iterate']
        .filter(name => Object.hasOwn(prototype, name))
        .map(name => ({ prototype, name, real: prototype[name] })),
    )
    for (const { prototype, name, real } of methods) {
      const { sqlite } = {
        sqlite(this: object, ...args: readonly unknown[]) {
          return real.apply(this, args)
        },
      }
      prototype[name] = sqlite
    }
    return () => {
      for (const { prototype, name, real } of methods) prototype[name] = real
    }
  }

  const unwrap = [wrapJson(), wrapWrite('stdout'), wrapWrite('stderr'), wrapSqlite()]
  return () => {
    for (const each of unwrap) each()
  }
}
