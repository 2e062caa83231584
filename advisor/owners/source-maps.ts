import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Files } from './files.ts'
import { pathInProject, pathOfFileUrl } from './place.ts'

export interface Script {
  /** `mapped` and `commented` are bundles whose source map, or the comments of whose bundler, tell the sources. */
  readonly kind: 'source' | 'bundle' | 'absent' | 'mapped' | 'commented'
  /** Finds the source of a place in the script. Lines and columns count from 0. */
  locate?(line: number, column: number): Source | undefined
}

export interface Source {
  readonly path: string
  /** Unknown if a comment names the source, because bundlers leave lines out. */
  readonly line?: number
  /** The name that the function has there, where a source map tells it: minified code has another. */
  readonly name?: string | undefined
}

/** Reads the script at a path, and its source map, if it has one. */
export function readScript(path: string, files: Files): Script {
  const text = files.read(path)
  if (text === undefined) return { kind: 'absent' }
  const map = readMap(path, text, files)
  if (map) return { kind: 'mapped', locate: createLocate(map, files.folderOf(path)) }
  if (!isBundle(text)) return { kind: 'source' }
  const modules = modulesIn(text)
  if (modules.length === 0) return { kind: 'bundle' }
  const project = files.folderOf(path)
  return {
    kind: 'commented',
    locate(line) {
      const module = modules.findLast(each => each.line <= line)
      return module && { path: resolve(project, module.path) }
    },
  }
}

/**
 * What esbuild, Rolldown (`//#region`) and webpack write before each module of a bundle that is not minified: its path from the
 * folder of the project.
 */
const MODULE =
  /^(?:\/\/(?:#region)? |;\/\/ (?:CONCATENATED MODULE: )?| *!\*{3} |\/\*{3}\/ ")([^\s":]+\.[cm]?[jt]sx?)(?: \*{3}!|":.*)?$/

const modulesIn = (text: string) =>
  text.split('\n').flatMap((each, line) => {
    const path = MODULE.exec(each)?.[1]
    return path === undefined ? [] : [{ line, path }]
  })

/** @param from path of the source map, or of the script that contains it */
function createLocate({ map, from }: { map: SourceMap; from: string }, project: string) {
  const pathOf = (source: string): string | undefined => {
    if (source.startsWith('file:')) return pathOfFileUrl(source)
    const inProject = pathInProject(source)
    if (inProject !== undefined) return resolve(project, inProject)
    // The runtime of a bundler is nobody's file.
    return /^[\w-]+:\/\//.test(source) ? undefined : resolve(dirname(from), source)
  }
  return (line: number, column: number): Source | undefined => {
    const entry = map.findEntry(line, column)
    if (!('originalSource' in entry) || !entry.originalSource) return undefined
    const path = pathOf(entry.originalSource)
    // The types of Node.js lack the name.
    const { originalLine, name } = entry as typeof entry & { readonly name?: string }
    return path === undefined ? undefined : { path, line: originalLine, name }
  }
}

/** The last comment counts, see https://tc39.es/ecma426/. */
function readMap(path: string, text: string, files: Files) {
  const url = [...text.matchAll(/^\/[/*][#@] ?sourceMappingURL=([^\s'"*]+)/gm)].at(-1)?.[1]
  if (!url) return undefined
  const [, inline] = /^data:application\/json[^,]*;base64,(.*)$/.exec(url) ?? []
  try {
    const from = inline ? path : resolve(dirname(path), decodeURIComponent(url))
    const json = inline ? Buffer.from(inline, 'base64').toString('utf8') : files.read(from)
    return json ? { map: new SourceMap(withRoots(JSON.parse(json))), from } : undefined
  } catch {
    return undefined
  }
}

type Payload = ConstructorParameters<typeof SourceMap>[0]

/** An index map, which has a map for each section of the script. Node.js reads it too, but its types lack it. */
interface IndexMap extends Payload {
  readonly sections: readonly { readonly map: Payload }[]
}

/** Puts the root of the sources before each of them. */
function withRoots(payload: Payload | IndexMap): Payload | IndexMap {
  if ('sections' in payload) {
    const sections = payload.sections.map(section => ({ ...section, map: withRoots(section.map) }))
    return { ...payload, sections }
  }
  const root = payload.sourceRoot ? `${payload.sourceRoot.replace(/\/$/, '')}/` : ''
  // A source without a name is null there.
  const sources = payload.sources.map((source: string | null) => (source === null ? '' : root + source))
  return { ...payload, sources, sourceRoot: '' }
}

/** Names that the runtimes of bundlers define, what minified ones make for each module, and the comments of esbuild and Rolldown. */
const RUNTIME =
  /__webpack_require__|__turbopack|__commonJS(Min)?\b|__toESM\b|parcelRequire|__nccwpck_require__|=\{exports:\{\}\}[;)]/
const MODULE_COMMENT = /^\/\/(#region)? ?\S*node_modules\/\S+$/m
/** No person writes such a line. */
const MINIFIED_LINE = 5000

const isBundle = (text: string) =>
  RUNTIME.test(text) ||
  MODULE_COMMENT.test(text) ||
  text.split('\n').some(line => line.length > MINIFIED_LINE)
