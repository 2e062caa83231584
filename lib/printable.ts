/** What a terminal obeys instead of showing it: control characters, and those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text that came from elsewhere, on one line and without power over the terminal on which it is shown. */
export const printable = (text: string): string => text.replace(OBEYED, escapeOf)

/** JSON whose names and texts are printable when it has been parsed: escapes are shown as they are written. */
export const printableJson = (json: string): string =>
  json
    .replace(OBEYED, escapeOf)
    .replace(/\\(u[0-9a-f]{4}|.)/gi, sequence => (isObeyed(sequence) ? `\\${sequence}` : sequence))

const isObeyed = (sequence: string): boolean => printable(JSON.parse(`"${sequence}"`)).length > 1
