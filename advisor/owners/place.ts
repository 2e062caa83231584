import { fileURLToPath } from 'node:url'

/** Where the code of a function is, as far as the name of its script tells. */
export interface Place {
  /**
   * `project` is a file by its path from the folder of the project; `given` is source text that was given to Node.js: `--eval`,
   * standard input, or `eval: true` of a worker thread; `generated` is native code, or code that was made at run time, whose script
   * has no name, or a label that is no path; `unknown` is what no rule here knows.
   */
  readonly kind: 'builtin' | 'file' | 'project' | 'given' | 'generated' | 'unknown'
  /** The path of the file, the module such as `node:net`, or the name of the script. */
  readonly at: string
}

/** React names the server's functions so in development; the rest of the name is that of the script. */
const REACT = /^(?:rsc|about):\/\/React\/[^/]+\//
const GIVEN = /^(?:\[(?:eval|worker eval|stdin)\S*\]|REPL\d*)/
/** WebAssembly, modules in data URLs, and blobs of `URL.createObjectURL`. */
const GENERATED = /^(?:wasm|data|blob|evalmachine)\b/
const FILE_EXTENSION = /\.[cm]?[jt]sx?$/

export function placeOf(scriptUrl: string): Place {
  const at = scriptUrl.replace(REACT, '')
  if (at.startsWith('node:')) return { kind: 'builtin', at }
  if (/^[/\\]|^[A-Za-z]:[/\\]/.test(at)) return { kind: 'file', at }
  if (at.startsWith('file:')) return { kind: 'file', at: pathOfFileUrl(at) }
  const inProject = pathInProject(at)
  if (inProject !== undefined) return { kind: 'project', at: inProject }
  if (GIVEN.test(at)) return { kind: 'given', at }
  if (GENERATED.test(at)) return { kind: 'generated', at }
  if (/^[\w+.-]+:/.test(at)) return { kind: 'unknown', at }
  return { kind: FILE_EXTENSION.test(at) ? 'project' : 'generated', at }
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
