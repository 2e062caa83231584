/**
 * Why no message can contain a value, such as a function; undefined if one can. A message is sent whole or not at all, so
 * this tells which of its parts is to blame.
 */
export function findCloneError(value: unknown): Error | undefined {
  try {
    structuredClone(value)
    return undefined
  } catch (error) {
    return error as Error
  }
}
