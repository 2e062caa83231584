import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { manifestOf, packageFolders, ROOT, sourcesOf } from '../release/packages/manifest.ts'

/** The sources of the packages, by the names that a service imports. */
const sources = new Map(
  packageFolders.flatMap(folder => {
    const { name, ...manifest } = manifestOf(folder)
    return Object.entries(manifest.exports ?? {}).flatMap(([path, built]) => {
      const [source] = sourcesOf(folder, { ...manifest, name, exports: { [path]: built }, bin: {} }).imported
      return source ? [[join(name, path), pathToFileURL(join(ROOT, source)).href] as const] : []
    })
  }),
)

// An import of a package gives its sources, so that the examples run in this repository without a build.
registerHooks({
  resolve: (specifier, context, next) => next(sources.get(specifier) ?? specifier, context),
})
