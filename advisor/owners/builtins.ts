import { INSIDE_URL } from '../watching/inside.ts'
import type { Owner } from './owner.ts'

/**
 * The parts of Node.js that have a name in a spectrum, by the beginning of the module's name. Modules in no list, such
 * as those of events, streams and timers, work for their callers.
 */
const modules: Readonly<Record<string, readonly string[]>> = {
  stdout: ['internal/fs/sync_write_stream', 'tty', 'internal/tty'],
  'HTTP and sockets': [
    ...[
      '_http',
      'http',
      'http2',
      'https',
      'net',
      'dns',
      'dgram',
      'internal/http',
      'internal/http2',
      'internal/dns',
    ],
    ...['internal/stream_base_commons', 'internal/dgram'],
  ],
  fetch: ['internal/deps/undici'],
  TLS: ['_tls', 'tls', 'internal/tls'],
  crypto: ['crypto', 'internal/crypto', 'internal/webcrypto'],
  zlib: ['zlib', 'internal/zlib'],
  fs: ['fs', 'internal/fs'],
  sqlite: ['sqlite'],
  WASI: ['wasi'],
  'module loading': ['internal/modules', 'internal/deps/cjs-module-lexer', 'module'],
  console: ['internal/console', 'console'],
}

/** The part of Node.js that a module is in; undefined if it works for its callers. @param url `node:…` */
export function findBuiltin(url: string): Owner | undefined {
  const name = url.slice('node:'.length)
  const isIn = (beginning: string) =>
    name === beginning || (/^[/_]/.test(name.slice(beginning.length)) && name.startsWith(beginning))
  const found = Object.entries(modules).find(([, beginnings]) => beginnings.some(isIn))
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
