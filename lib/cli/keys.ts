import { emitKeypressEvents } from 'node:readline'

export interface Key {
  readonly name?: string
  readonly sequence?: string
  readonly ctrl?: boolean
}

/**
 * Reads keys from the terminal, if there is one. In raw mode it sends no signal, so Ctrl-C and `q` call `onStop`.
 * @returns a function that gives the terminal back
 */
export function readKeys(onKey: (key: Key) => void, onStop: () => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) return () => {}
  const onKeypress = (_text: string | undefined, key: Key) =>
    key.name === 'q' || (key.ctrl && key.name === 'c') ? onStop() : onKey(key)
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKeypress)
  stdin.resume()
  return () => {
    stdin.off('keypress', onKeypress)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
