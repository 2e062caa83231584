import type { Replacing } from './change-inside.ts'

/**
 * Wraps calls that V8's profiler does not tell, so that their time would be lost in their callers: it has no frame for
 * `JSON.parse`, `JSON.stringify` and the native calls of node:sqlite, and `process.stdout.write` looks like any other socket. The
 * wrappers make a frame in a script of their own. Its text is sent with that of `watchInside`, so it uses nothing from outside of
 * the function. `replacing.undo` takes this back.
 */
export function wrapCalls(load: typeof require, { replace, onUndo }: Replacing): void {
  // Profiles show the names of these methods. A bundler renames functions, but no methods.
  function wrapJson() {
    const { parse: realParse, stringify: realStringify } = JSON
    const named = {
      parse: (text: string, reviver: never) => realParse(text, reviver),
      stringify: (value: unknown, replacer: never, space: never) => realStringify(value, replacer, space),
    }
    replace(JSON, 'parse', named.parse)
    replace(JSON, 'stringify', named.stringify)
  }

  /** Wraps `write` of a stream when the program next asks for the stream: to ask here would open it. */
  function wrapWrite(name: 'stdout' | 'stderr') {
    const real = Object.getOwnPropertyDescriptor(process, name)
    if (!real?.get || !real.configurable) return
    let isWrapped = false
    const get = () => {
      const stream = real.get?.call(process)
      if (isWrapped) return stream
      isWrapped = true
      const { write: realWrite } = stream
      const { write } = {
        write(...args: readonly unknown[]) {
          return realWrite.apply(stream, args)
        },
      }
      replace(stream, 'write', write)
      return stream
    }
    Object.defineProperty(process, name, { ...real, get })
    onUndo(() => {
      if (Object.getOwnPropertyDescriptor(process, name)?.get === get)
        Object.defineProperty(process, name, real)
    })
  }

  /** Wraps the calls of node:sqlite, which are native and have no module in profiles, if the program has loaded it. */
  function wrapSqlite() {
    const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] }
    if (!moduleLoadList.includes('NativeModule sqlite')) return
    const { DatabaseSync, StatementSync } = load('node:sqlite')
    for (const { prototype } of [DatabaseSync, StatementSync]) {
      for (const name of ['exec', 'prepare', 'all', 'get', 'run', 'iterate']) {
        const real = prototype[name]
        const { sqlite } = {
          sqlite(this: object, ...args: readonly unknown[]) {
            return real.apply(this, args)
          },
        }
        if (real) replace(prototype, name, sqlite)
      }
    }
  }

  wrapJson()
  wrapWrite('stdout')
  wrapWrite('stderr')
  wrapSqlite()
}
