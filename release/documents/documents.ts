import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceBetweenMarkers } from '../../lib/cli/columns.ts'
import { renderFigures } from './figures.ts'
import { type View, views } from './published.ts'
import { isPublished } from './runs.ts'

const ROOT = join(import.meta.dirname, '../..')

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** All documents that people read for what they say now. */
export const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter(path => path !== '' && !path.endsWith('CHANGELOG.md'))

const OLD = '\n\nMeasured with older code.'

/**
 * The text with its figures and tables made anew from the published runs. What is not published stays as it is.
 * @param old runs whose tables are marked as old
 */
export function renderDocument(text: string, old: readonly string[] = []): string {
  let rendered = renderFigures(text)
  for (const [name, { of, show }] of Object.entries<View>(views)) {
    const marker = `results ${name}`
    if (!text.includes(`<!-- ${marker} -->`) || !of.every(isPublished)) continue
    const mark = of.some(run => old.includes(run)) ? OLD : ''
    rendered = replaceBetweenMarkers(rendered, marker, show() + mark)
  }
  return rendered
}

/** The text without marks of old runs, which come and go with the code. */
export const withoutMarks = (text: string): string => text.replaceAll(OLD, '')
