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
