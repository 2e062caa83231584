import type { Key } from '../../lib/cli/keys.ts'
import { commandOf } from '../../screen/keys.ts'
import type { StageCommand } from '../../screen/stage-messages.ts'

/** What a terminal calls keys that are no letters, and their names in a browser. */
const names: Readonly<Record<string, string>> = {
  pagedown: 'PageDown',
  right: 'ArrowRight',
  pageup: 'PageUp',
  left: 'ArrowLeft',
}

/** The command of a key of the terminal. */
export const commandOfKey = ({ name = '', sequence = '' }: Key): StageCommand | undefined =>
  commandOf(names[name] ?? sequence)
