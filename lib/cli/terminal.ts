/** Output is made for terminals of this width, and of every larger one. */
const LEAST_COLUMNS = 60

/**
 * The width of the terminal that shows the output, in characters, and at least 60; undefined if the output goes to a
 * file or a pipe and no variable `COLUMNS` says how it will be shown.
 */
export function terminalColumns(): number | undefined {
  const columns = process.stdout.columns || Number.parseInt(process.env.COLUMNS ?? '', 10)
  return columns > 0 ? Math.max(columns, LEAST_COLUMNS) : undefined
}

/** Breaks a text between words into lines of at most `width` characters. A longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Wraps each paragraph of a text. Paragraphs are separated by an empty line. */
export const wrapParagraphs = (text: string, width: number): string =>
  text
    .split('\n\n')
    .map(paragraph => wrap(paragraph, width).join('\n'))
    .join('\n\n')

/**
 * Characters that a terminal interprets and does not show: control characters, and those that change the direction of
 * text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match control characters
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Makes text from another source safe to show: it becomes one line without control over the terminal. */
export const printable = (text: string): string => text.replace(OBEYED, escapeOf)

const COMPLAINT_INTERVAL_MS = 60_000

/**
 * Makes a function that writes lines about a continuing problem, at most once a minute, whatever the lines say.
 * @param write by default writes to stderr
 */
export function createComplaint(
  write = (line: string): void => void process.stderr.write(`${line}\n`),
): (...lines: readonly string[]) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (...lines) => {
    if (performance.now() - saidAt < COMPLAINT_INTERVAL_MS) return
    saidAt = performance.now()
    for (const line of lines) write(printable(line))
  }
}
