import type { StageCommand } from './stage-messages.ts'

/** The commands of keys, by their names in a browser. PageDown and PageUp are the keys of a presenter's clicker. */
const commands: Readonly<Record<string, StageCommand>> = {
  PageDown: { kind: 'move', by: 1 },
  ArrowRight: { kind: 'move', by: 1 },
  PageUp: { kind: 'move', by: -1 },
  ArrowLeft: { kind: 'move', by: -1 },
  s: { kind: 'ask' },
  o: { kind: 'overload' },
  ' ': { kind: 'tour' },
}

/** The command of a key, in the terminal and on the page; a digit chooses a step. */
export const commandOf = (key: string): StageCommand | undefined =>
  /^\d$/.test(key) ? { kind: 'go', step: Number(key) } : commands[key]

/** What a terminal calls keys that are no letters, and their names in a browser. */
const terminalNames: Readonly<Record<string, string>> = {
  pagedown: 'PageDown',
  right: 'ArrowRight',
  pageup: 'PageUp',
  left: 'ArrowLeft',
}

/** The command of a key of the terminal. */
export const commandOfKey = ({
  name = '',
  sequence = '',
}: Readonly<Partial<Record<'name' | 'sequence', string | undefined>>>): StageCommand | undefined =>
  commandOf(terminalNames[name] ?? sequence)
