/**
 * Characters that a terminal interprets and does not show: control characters, and those that change the direction of
 * text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match control characters
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Makes text from another source safe to show: it becomes one line without control over the terminal. */
export const printable = (text: string): string => text.replace(OBEYED, escapeOf)

/** Escapes JSON so that its names and texts are printable after parsing: escape sequences then appear as text. */
export const printableJson = (json: string): string =>
  json
    .replace(OBEYED, escapeOf)
    .replace(/\\(u[0-9a-f]{4}|.)/gi, sequence => (isObeyed(sequence) ? `\\${sequence}` : sequence))

const isObeyed = (sequence: string): boolean => printable(JSON.parse(`"${sequence}"`)).length > 1
