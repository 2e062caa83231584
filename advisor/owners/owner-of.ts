import type { Profiler } from 'node:inspector'
import { findBuiltin, findInside, isInside } from './builtins.ts'
import { Files, packageIn } from './files.ts'
import { notFound, type Owner, unattributed, unknownPlace } from './owner.ts'
import { placeOf } from './place.ts'
import { readScript, type Script } from './source-maps.ts'

type CallFrame = Pick<
  Profiler.ProfileNode['callFrame'],
  'functionName' | 'url' | 'lineNumber' | 'columnNumber'
>

/** The owner of a function; undefined if it works for its callers, as native and generated code does. */
export interface FindOwner {
  (callFrame: CallFrame): Owner | undefined
  /** Names a function and its place, such as `render src/page.js:12`, by its source if a source map tells it. */
  describe(callFrame: CallFrame): string
  /** The bundles without a source map in which functions were found. */
  readonly bundles: ReadonlySet<string>
}

/** Makes a function that finds owners in the files of a service. */
export function createFindOwner(...where: ConstructorParameters<typeof Files>): FindOwner {
  const files = new Files(...where)
  const scripts = new Map<string, Script>()
  const bundles = new Set<string>()
  const scriptAt = (path: string) => {
    const script = scripts.get(path) ?? readScript(path, files)
    scripts.set(path, script)
    return script
  }

  function ownerInFile(path: string, line: number, column: number): Owner {
    // A package is one owner, however it was built.
    if (packageIn(path)) return files.ownerOf(path)
    const script = scriptAt(path)
    if (script.kind === 'source') return files.ownerOf(path)
    if (script.kind === 'bundle') bundles.add(files.pathOf(path))
    const source = script.locate?.(line, column)
    if (source) return files.ownerOf(source.path)
    // A table of the user may name the folder of a bundle.
    return { ...(script.kind === 'absent' ? notFound : unattributed), path: files.pathOf(path) }
  }

  const findOwner = ({ url, functionName, lineNumber, columnNumber }: CallFrame): Owner | undefined => {
    if (isInside({ url, functionName })) return findInside({ url, functionName })
    const { kind, at } = placeOf(url)
    if (kind === 'builtin') return findBuiltin(at)
    if (kind === 'file') return ownerInFile(at, lineNumber, columnNumber)
    // A bundler evaluates the module as it is, or close to it.
    if (kind === 'project') return files.ownerInProject(at)
    if (kind === 'given') return { kind: 'own', name: at, path: at }
    return kind === 'unknown' ? unknownPlace : undefined
  }

  function describe({ url, functionName, lineNumber, columnNumber }: CallFrame): string {
    const { kind, at } = placeOf(url)
    const isOwnFile = kind === 'file' && !packageIn(at)
    const source = isOwnFile ? scriptAt(at).locate?.(lineNumber, columnNumber) : undefined
    const { path, line, name } = source ?? { path: at, line: lineNumber, name: undefined }
    const shown = kind === 'file' ? (files.ownerOf(path).file ?? files.pathOf(path)) : path
    return `${name || functionName || '(anonymous)'} ${shown}:${line + 1}`
  }
  return Object.assign(findOwner, { bundles, describe })
}
