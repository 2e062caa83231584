import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Files } from './files.ts'
import { pathInProject, pathOfFileUrl } from './place.ts'

export interface Script {
  /** A bundle that is `mapped` has a source map; one that is `absent` cannot be read here. */
  readonly kind: 'source' | 'bundle' | 'absent' | 'mapped'
  /** Finds the source of a place in the script. Lines and columns count from 0. */
  locate?(line: number, column: number): Source | undefined
}

interface Source {
  readonly path: string
  readonly line: number
  /** The name that the function has there: minified code has another. */
  readonly name?: string | undefined
}

/** Reads the script at a path, and its source map, if it has one. */
export function readScript(path: string, files: Files): Script {
  const text = files.read(path)
  if (text === undefined) return { kind: 'absent' }
  const map = readMap(path, text, files)
  if (map) return { kind: 'mapped', locate: createLocate(map, files.folderOf(path)) }
  return { kind: isBundle(text) ? 'bundle' : 'source' }
}

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
