import type { Profiler } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { findBuiltin, findInside } from './builtins.ts'
import { Files, packageIn } from './files.ts'
import { type Owner, unattributed } from './owner.ts'
import { readScript, type Script } from './source-maps.ts'

/** The owner of a function; undefined if it works for its callers, as native and generated code does. */
export type FindOwner = (callFrame: Profiler.ProfileNode['callFrame']) => Owner | undefined

/** Makes a function that finds owners in the files of a service. @param directory where the service runs */
export function createFindOwner(directory: string): FindOwner {
  const files = new Files(directory)
  const scripts = new Map<string, Script>()
  const scriptAt = (path: string) => {
    const script = scripts.get(path) ?? readScript(path)
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
    // A table of the user may name the folder of a bundle.
    return source ? files.ownerOf(source) : { ...unattributed, path: files.pathOf(path) }
  }
}

/** The file of a script; undefined for native code, generated code and data URLs. */
function pathOf(url: string): string | undefined {
  if (url.startsWith('/') || /^[A-Za-z]:\\/.test(url)) return url
  return url.startsWith('file://') ? fileURLToPath(url.replace(/[?#].*$/, '')) : undefined
}
