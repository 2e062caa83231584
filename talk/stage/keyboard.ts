import type { Key } from '../../lib/cli/keys.ts'
import type { StageCommand } from './protocol.ts'

/** The command of a key: digits choose a step, arrows and the keys of a presenter's clicker move, `s` asks for something else, a space is for the tour. */
export function commandOfKey({ name, sequence = '' }: Key): StageCommand | undefined {
  if (/^\d$/.test(sequence)) return { kind: 'go', step: Number(sequence) }
  if (name === 'pagedown' || name === 'right') return { kind: 'move', by: 1 }
  if (name === 'pageup' || name === 'left') return { kind: 'move', by: -1 }
  if (name === 's') return { kind: 'ask' }
  if (name === 'space') return { kind: 'tour' }
  return undefined
}
