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
  /** The bundles without a source map in which functions were found, and whether comments of the bundler split them. */
  readonly bundles: ReadonlyMap<string, { readonly isSplit: boolean }>
}

/** Makes a function that finds owners in the files of a service. */
export function createFindOwner(...where: ConstructorParameters<typeof Files>): FindOwner {
  const files = new Files(...where)
  const scripts = new Map<string, Script>()
  const bundles = new Map<string, { isSplit: boolean }>()
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
    if (script.kind === 'bundle' || script.kind === 'commented')
      bundles.set(files.pathOf(path), { isSplit: script.kind === 'commented' })
    const source = 'locate' in script ? script.locate(line, column) : undefined
    if (source) {
      const owner = files.ownerOf(source)
      // A comment may be relative to another folder. A table of the user then knows the bundle, and not the file.
      const isElsewhere = script.kind === 'commented' && owner.kind === 'own' && !files.has(source)
      return isElsewhere ? { ...owner, path: files.pathOf(path) } : owner
    }
    const elsewhere = script.kind === 'absent' ? files.ownElsewhere(path) : undefined
    if (elsewhere) return elsewhere
    // A table of the user may name the folder of a bundle.
    return { ...(script.kind === 'absent' ? notFound : unattributed), path: files.pathOf(path) }
  }

  const findOwner = ({ url, functionName, lineNumber, columnNumber }: CallFrame): Owner | undefined => {
    if (isInside({ url, functionName })) return findInside({ url, functionName })
    const place = placeOf(url)
    if (place.kind === 'builtin') return findBuiltin(place.url)
    if (place.kind === 'file') return ownerInFile(place.path, lineNumber, columnNumber)
    // A bundler evaluates the module as it is, or close to it.
    if (place.kind === 'project') return files.ownerInProject(place.path)
    if (place.kind === 'given') return { kind: 'own', name: place.name, path: place.name }
    return place.kind === 'unknown' ? unknownPlace : undefined
  }
  return Object.assign(findOwner, { bundles })
}
