import type { Profiler } from 'node:inspector'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Where the code of a function is, as far as the name of its script tells. */
export type Place =
  /** A module of Node.js, such as `node:net`. */
  | { readonly kind: 'builtin'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  /** A file, by its path from the folder of the project. */
  | { readonly kind: 'project'; readonly path: string }
  /** Source text that was given to Node.js: `--eval`, standard input, or `eval: true` of a worker thread. */
  | { readonly kind: 'given'; readonly name: string }
  /** Native code, or code that was made at run time: its script has no name, or a label that is no path. */
  | { readonly kind: 'generated' }
  /** A place that no rule here knows. */
  | { readonly kind: 'unknown' }

/** React names the server's functions so in development; the rest of the name is that of the script. */
const REACT = /^(?:rsc|about):\/\/React\/[^/]+\//
const GIVEN = /^(?:\[(?:eval|worker eval|stdin)\S*\]|REPL\d*)/
/** WebAssembly, modules in data URLs, and blobs of `URL.createObjectURL`. */
const GENERATED = /^(?:wasm|data|blob|evalmachine)\b/
const FILE_EXTENSION = /\.[cm]?[jt]sx?$/

export function placeOf(scriptUrl: string): Place {
  const url = scriptUrl.replace(REACT, '')
  if (url.startsWith('node:')) return { kind: 'builtin', url }
  // Node.js 14 and earlier: `net.js`, `internal/timers.js`.
  const [, module] = /^([\w/-]+)\.js$/.exec(url) ?? []
  if (module && (isBuiltin(module) || /^internal\/|^_/.test(module)))
    return { kind: 'builtin', url: `node:${module}` }
  if (/^[/\\]|^[A-Za-z]:[/\\]/.test(url)) return { kind: 'file', path: url }
  if (url.startsWith('file:')) return { kind: 'file', path: pathOfFileUrl(url) }
  const inProject = pathInProject(url)
  if (inProject !== undefined) return { kind: 'project', path: inProject }
  if (GIVEN.test(url)) return { kind: 'given', name: url }
  if (GENERATED.test(url)) return { kind: 'generated' }
  if (/^[\w+.-]+:/.test(url)) return { kind: 'unknown' }
  return FILE_EXTENSION.test(url) ? { kind: 'project', path: url } : { kind: 'generated' }
}

/**
 * The folder of the project, as webpack (`webpack://name/`, `webpack://@scope/name/`, `webpack:///`,
 * `webpack-internal:///(layer)/`) and Turbopack (`turbopack:///[project]/`) name it.
 */
const PROJECT =
  /^(?:webpack-internal:\/\/\/(?:\([^)]*\)\/)?|webpack:\/\/(?:@[^/]+\/)?[^/]*\/|turbopack:\/{2,3}\[project\]\/)/

/** The path of a bundler's module from the folder of the project; undefined if the URL is not that of one. */
export const pathInProject = (url: string): string | undefined =>
  PROJECT.test(url) ? url.replace(PROJECT, '').replace(/[?!].*$/s, '') : undefined

/** The path in a `file:` URL. Some tools put `file://` before a path that is not encoded. */
export function pathOfFileUrl(url: string): string {
  try {
    return fileURLToPath(url.replace(/[?#].*$/s, ''))
  } catch {
    return url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  }
}

/** The files whose code is in a profile. */
export function filesIn({ nodes }: Pick<Profiler.Profile, 'nodes'>): string[] {
  const places = nodes.map(({ callFrame }) => placeOf(callFrame.url))
  return places.flatMap(place => (place.kind === 'file' ? [place.path] : []))
}
