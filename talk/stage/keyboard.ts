import { emitKeypressEvents } from 'node:readline'
import type { StageCommand } from './protocol.ts'

interface Key {
  readonly name?: string
  readonly sequence?: string
  readonly ctrl?: boolean
}

/** The command of a key: digits choose a step, arrows and the keys of a presenter's clicker move, `s` asks for something else, a space is for the tour. */
export function commandOfKey({ name, sequence = '' }: Key): StageCommand | undefined {
  if (/^\d$/.test(sequence)) return { kind: 'go', step: Number(sequence) }
  if (name === 'pagedown' || name === 'right') return { kind: 'move', by: 1 }
  if (name === 'pageup' || name === 'left') return { kind: 'move', by: -1 }
  if (name === 's') return { kind: 'ask' }
  if (name === 'space') return { kind: 'tour' }
  return undefined
}

/**
 * Reads keys from the terminal; nothing happens without one.
 * @param onStop called on Ctrl-C and `q`, because a terminal in raw mode sends no signal
 * @returns a function that gives the terminal back
 */
export function readKeys(onCommand: (command: StageCommand) => void, onStop: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const onKey = (_text: string | undefined, key: Key) => {
    if (key.name === 'q' || (key.ctrl && key.name === 'c')) return onStop()
    const command = commandOfKey(key)
    if (command) onCommand(command)
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKey)
  stdin.resume()
  return () => {
    stdin.off('keypress', onKey)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
