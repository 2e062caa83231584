import { errorOf } from './thrown.ts'

/**
 * Why no message can contain a value, such as a function; undefined if one can. A message is sent whole or not at all, so
 * this tells which of its parts is to blame.
 */
export function findCloneError(value: unknown): Error | undefined {
  try {
    structuredClone(value)
    return undefined
  } catch (thrown) {
    // A getter of the value may have thrown anything.
    return errorOf(thrown)
  }
}
