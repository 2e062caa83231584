import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import { licencesOf } from './licences.ts'

/** Appends to each bundle of scripts or styles, as a comment, the licences of all packages whose code or fonts it has. */
export const plugin: Plugin = {
  name: 'keep licences',
  setup({ initialOptions, onEnd }) {
    const root = initialOptions.absWorkingDir ?? process.cwd()
    initialOptions.metafile = true
    onEnd(({ metafile = { inputs: {}, outputs: {} } }) => {
      for (const [path, { inputs, imports }] of Object.entries(metafile.outputs)) {
        if (!/\.(js|css)$/.test(path)) continue
        // A font is a file of its own, into which nothing can be written.
        const used = imports.map(each => metafile.outputs[each.path]?.inputs ?? {})
        const folders = packagesIn(Object.assign({}, inputs, ...used)).map(folder => join(root, folder))
        if (folders.length > 0) appendFileSync(join(root, path), asComment(licencesOf(folders)))
      }
    })
  },
}

/** The folders of the packages that files are in. */
const packagesIn = (inputs: Metafile['outputs'][string]['inputs']): string[] => [
  ...new Set(
    Object.keys(inputs).flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
]

const asComment = (text: string) =>
  `/*! This file contains the packages below.\n\n${text.replaceAll('*/', '* /')}\n*/\n`
