import type { Profiler } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { findBuiltin, findInside } from './builtins.ts'
import { Files, packageIn } from './files.ts'
import { notFound, type Owner, unattributed } from './owner.ts'
import { readScript, type Script } from './source-maps.ts'

/** The owner of a function; undefined if it works for its callers, as native and generated code does. */
export type FindOwner = (callFrame: Profiler.ProfileNode['callFrame']) => Owner | undefined

/**
 * Makes a function that finds owners in the files of a service.
 * @param directory where the service runs
 * @param root the folder here that is `/` for the service, if it is another one
 */
export function createFindOwner(directory: string, root?: string): FindOwner {
  const files = new Files(directory, root)
  const scripts = new Map<string, Script>()
  const scriptAt = (path: string) => {
    const script = scripts.get(path) ?? readScript(path, files)
    scripts.set(path, script)
    return script
  }

  return ({ url, functionName, lineNumber, columnNumber }) => {
    if (url.startsWith('node:')) return findBuiltin(url)
    const path = pathOf(url)
    if (!path) return findInside({ url, functionName })
    // A package is one owner, however it was built.
    if (packageIn(path)) return files.ownerOf(path)
    const script = scriptAt(path)
    if (script.kind === 'source') return files.ownerOf(path)
    const source = script.kind === 'mapped' ? script.locate(lineNumber, columnNumber) : undefined
    if (source) return files.ownerOf(source)
    // A table of the user may name the folder of a bundle.
    return { ...(script.kind === 'absent' ? notFound : unattributed), path: files.pathOf(path) }
  }
}

/** The file of a script; undefined for native code, generated code and data URLs. */
function pathOf(url: string): string | undefined {
  if (url.startsWith('/') || /^[A-Za-z]:\\/.test(url)) return url
  return url.startsWith('file://') ? fileURLToPath(url.replace(/[?#].*$/, '')) : undefined
}
