import { INSIDE_URL } from '../watching/inside.ts'
import table from './builtins.json' with { type: 'json' }
import type { Owner } from './owner.ts'

/** A part of Node.js that has a name in a spectrum. */
interface Builtin {
  readonly concern: string
  /** Beginnings of the names of its modules. Those in no list, such as events, streams and timers, work for their callers. */
  readonly modules: readonly string[]
}

const builtins: Readonly<Record<string, Builtin>> = table
const entries = Object.entries(builtins)

export const concernsOfBuiltins = entries.map(([, { concern }]) => concern)

export const concernOfBuiltin = (name: string): string => (builtins[name] as Builtin).concern

/** The part of Node.js that a module is in; undefined if it works for its callers. @param url `node:…` */
export function findBuiltin(url: string): Owner | undefined {
  const name = url.slice('node:'.length)
  const isIn = (beginning: string) =>
    name === beginning || (/^[/_]/.test(name.slice(beginning.length)) && name.startsWith(beginning))
  const found = entries.find(([, { modules }]) => modules.some(isIn))
  return found && { kind: 'builtin', name: found[0] }
}

/** The name of the function that burns a known time, and of its owner. */
export const CONTROL = 'control'
/** The owner of what V8's inspector does while it is open. */
export const INSPECTOR = 'inspector'

/** What the functions wrap that are inside of the process. All others there watch. */
const wrapped: Readonly<Record<string, string>> = {
  parse: 'JSON',
  stringify: 'JSON',
  write: 'stdout',
  sqlite: 'sqlite',
}

/** Whether a function watches from inside of the process, or comes with V8's inspector. */
export const isInside = ({ url, functionName }: Named): boolean =>
  url === INSIDE_URL || (url === '' && functionName === 'consoleCall')

interface Named {
  readonly url: string
  readonly functionName: string
}

/** The owner of a function that `isInside`; undefined if it works for its callers. */
export function findInside({ functionName }: Named): Owner | undefined {
  // An open inspector puts this native function before each one of `console`.
  if (functionName === 'consoleCall') return { kind: 'control', name: INSPECTOR }
  // It counts what sockets read, for their callers.
  if (functionName === 'push') return undefined
  const name = Object.hasOwn(wrapped, functionName) && wrapped[functionName]
  if (name) return { kind: 'builtin', name }
  return { kind: 'control', name: functionName === CONTROL ? CONTROL : 'watching' }
}
