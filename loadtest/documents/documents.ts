import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceBetweenMarkers } from '../../lib/markdown.ts'
import { type PublishedName, published, publishedNames } from './published.ts'

/** Where tables of results stand, between `<!-- results NAME -->` and `<!-- /results NAME -->`. */
export const documents = [
  'README.md',
  'docs/method.md',
  'docs/talk.md',
  'docs/rendering.md',
  'docs/serialization.md',
  'docs/break-even.md',
  'docs/spectrum.md',
  'docs/cores.md',
] as const

export const resultsPath = (name: PublishedName): string =>
  join(import.meta.dirname, '../../docs/results', `${name}.json`)

export const isPublished = (name: PublishedName): boolean => existsSync(resultsPath(name))

/** The text with its tables of results made anew from the published runs; a place without a run stays as it is. */
export function renderDocument(text: string): string {
  const shown = publishedNames.filter(
    name => isPublished(name) && text.includes(`<!-- ${markerOf(name)} -->`),
  )
  return shown.reduce(
    (rendered, name) =>
      replaceBetweenMarkers(rendered, markerOf(name), published[name].show(resultsPath(name))),
    text,
  )
}

const markerOf = (name: PublishedName) => `results ${name}`
