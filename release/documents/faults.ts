import { constants } from './constants.ts'
import { renderDocument, withoutMarks } from './documents.ts'
import { figuresIn, isTrue } from './figures.ts'

/** Names each figure that no run supports, as `FILE:LINE: what`. */
export function findFaults(path: string, text: string): string[] {
  try {
    return compare(path, text)
  } catch (error) {
    if (error instanceof RangeError) return [`${path}: ${error.message}`]
    throw error
  }
}

function compare(path: string, text: string): string[] {
  const at = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`
  const wrong = figuresIn(text)
    .filter(figure => !isTrue(figure))
    .map(
      ({ words, rendered, path: of, index }) =>
        `${at(index)}: "${words}" is "${rendered}" in the results (${of}); npm run docs writes it`,
    )
  const hidden = [...text.matchAll(/^<!--=[a-z].*/gm)].map(
    ({ index }) =>
      `${at(index)}: a line that begins with a reference is not taken for Markdown; move a word before it`,
  )
  const unfounded = findClaims(path, text).map(
    ({ words, index }) =>
      `${at(index)}: "${words}" is neither a reference to a result nor a constant (release/documents/constants.ts)`,
  )
  const faults = [...wrong, ...hidden, ...unfounded]
  if (faults.length > 0) return faults
  const isWritten = withoutMarks(renderDocument(text)) === withoutMarks(text)
  return isWritten ? [] : [`${path}: a table is not that of docs/results; npm run docs writes it`]
}

const UNIT = '(?:µs|ms|ns|KiB|MiB|GiB|KB|kB|MB|GB|×|%)(?![\\w])'
const PART =
  '(?:half|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|\\w+teenths?|twelfths?|\\w+tieths?|hundredths?)'
const COUNT = '(?:two|three|four|five|six|seven|eight|nine|ten|twenty|a hundred|\\d[\\d.,]*)'
/** A figure with a unit, a fraction, or a comparison by a factor. */
const FIGURE = [
  `(?<![\\w.,])(?:\\d[\\d.,]*(?:\\s(?:to|and|or)\\s|–))?\\d[\\d.,]*\\s?${UNIT}`,
  '\\b1/\\d[\\d.]*',
  `\\b(?:an?|one|two|three|four|nine)[ -]${PART}\\b`,
  `\\b${COUNT} times (?:as|less|more|faster|slower|cheaper|the)\\b`,
  '\\b(?:twice|half) as (?:much|many|fast|long|slow)\\b',
  // In a table that somebody wrote: a decimal alone in its cell, or a ratio with its interval.
  '(?<=\\|[ ]*)\\d[\\d,]*\\.\\d+(?=[ ]*\\|)',
  '\\d+\\.\\d+ \\[\\d',
].join('|')

interface Claim {
  readonly words: string
  readonly index: number
}

/** Figures in the prose of a document that are no references and no constants. */
function findClaims(path: string, text: string): Claim[] {
  const known = constants[path] ?? []
  return [...proseOf(text).matchAll(new RegExp(FIGURE, 'g'))]
    .map(({ 0: words, index }) => ({ words: words.replaceAll(/\s+/g, ' '), index }))
    .filter(({ words }) => !known.includes(words))
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** The text without generated parts, references, code and addresses, each as long as before. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/<!-- (results \w+|sizes) -->[\s\S]*?<!-- \/\1 -->/g, blank)
    .replaceAll(/```[\s\S]*?```/g, blank)
    .replaceAll(/<!--=[\s\S]*?<!--\/-->/g, blank)
    .replaceAll(/`[^`\n]*`|\]\([^)\n]*\)/g, blank)
