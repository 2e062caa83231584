import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceBetweenMarkers } from '../../lib/cli/markdown.ts'
import { type PublishedName, published, publishedNames, RESULTS } from './published.ts'
import { renderThresholds } from './thresholds-table.ts'

/** The documents with generated tables, between `<!-- results NAME -->` or `<!-- thresholds -->` and its end. */
export const documents = [
  'README.md',
  'docs/method.md',
  'docs/report.md',
  'docs/talk.md',
  'docs/rendering.md',
  'docs/serialization.md',
  'docs/break-even.md',
  'docs/spectrum.md',
  'docs/cores.md',
  'docs/versions.md',
  'docs/scale.md',
] as const

export function resultsPath(name: PublishedName): string {
  const { of = name }: { readonly of?: string } = published[name]
  return join(RESULTS, `${of}.json`)
}

export const isPublished = (name: PublishedName): boolean => existsSync(resultsPath(name))

const THRESHOLDS = 'thresholds'

/**
 * The text with its tables made anew: the tables of the published runs, and that of the thresholds. The table of a run
 * that is not published stays as it is.
 */
export function renderDocument(text: string): string {
  const has = (name: string) => text.includes(`<!-- ${name} -->`)
  const shown = publishedNames.filter(name => isPublished(name) && has(markerOf(name)))
  const withResults = shown.reduce(
    (rendered, name) =>
      replaceBetweenMarkers(rendered, markerOf(name), published[name].show(resultsPath(name))),
    text,
  )
  return has(THRESHOLDS) ? replaceBetweenMarkers(withResults, THRESHOLDS, renderThresholds()) : withResults
}

const markerOf = (name: PublishedName) => `results ${name}`
