import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** Appends to each bundle of scripts or styles, as a comment, the licences of all packages whose code or fonts it has. */
export const keepLicences: Plugin = {
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

const packagesIn = (inputs: Metafile['outputs'][string]['inputs']): string[] => [
  ...new Set(
    Object.keys(inputs).flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
]

const asComment = (text: string) =>
  `/*! This file contains the packages below.\n\n${text.replaceAll('*/', '* /')}\n*/\n`

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i
/** The section about the licence in a README, which some packages have instead of a file. */
const LICENCE_SECTION = /^(#+ *licen[cs]e\b|licen[cs]e\n[=-]+\n)[\s\S]*/im

/**
 * The licence texts of packages, for a file that contains their code. Packages with the same text share it.
 * @param folders the folders of the packages
 * @throws Error when a package has no licence text
 */
export function licencesOf(folders: readonly string[]): string {
  const byText = Map.groupBy(folders, licenceOf)
  return [...byText]
    .map(([text, sharing]) => `${sharing.map(titleOf).join(', ')}\n\n${text}`)
    .join('\n\n---\n\n')
}

/**
 * The files in the folder of a package that have the text of its licence, or of a notice that belongs to it. If there are
 * none, it is the README with its section about the licence.
 */
export function licenceFilesIn(folder: string): { file: string; text: string }[] {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim()
  const licences = files.filter(file => LICENCE_FILE.test(file)).map(file => ({ file, text: read(file) }))
  if (licences.length > 0) return licences
  const readmes = files.filter(file => /^readme/i.test(file))
  return readmes.flatMap(file => {
    const [text] = LICENCE_SECTION.exec(read(file)) ?? []
    return text === undefined ? [] : [{ file, text }]
  })
}

function licenceOf(folder: string): string {
  const texts = licenceFilesIn(folder).map(({ text }) => text)
  if (texts.length === 0) throw new Error(`${folder} has no licence text`)
  return texts.join('\n\n')
}

function titleOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}`
}
