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

/**
 * The concerns that take the time of Node.js's own modules with them: a driver of a database that writes to its socket is
 * the database, and a logger that writes to a file is logging. Wrappers that only pass a call on take nothing, so an APM
 * agent around HTTP is not HTTP.
 */
const takers: Readonly<Record<string, readonly string[]>> = {
  http: ['database', 'messaging', 'logging', 'http client'],
  files: ['database', 'logging', 'rendering', 'module loading'],
  serialization: ['database', 'messaging', 'logging', 'apm', 'auth and crypto', 'rendering'],
  'auth and crypto': ['database', 'messaging', 'apm', 'rendering'],
  compression: ['database', 'messaging', 'logging', 'apm'],
}

const takerNames = new Set(Object.values(takers).flat())

/** Whether a built-in of this concern takes the time of others with it, as `console` does. */
export const isTaker = (concern: string): boolean => takerNames.has(concern)

/** The concern of a built-in's time, by the concern of the package that called it. */
export const absorb = (ofBuiltin: string, ofCaller: string | undefined): string =>
  ofCaller !== undefined && takers[ofBuiltin]?.includes(ofCaller) ? ofCaller : ofBuiltin

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
