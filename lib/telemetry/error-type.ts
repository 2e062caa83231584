/** The value of `error.type` if nothing is known of the error. */
const OTHER = '_OTHER'

/**
 * The value of `error.type` in the semantic conventions of OpenTelemetry: a class of errors, never their message. It never
 * throws, whatever was thrown.
 */
export function errorTypeOf(thrown: unknown): string {
  try {
    const { code, name } = Object(thrown)
    return [code, name].filter(isType).map(String)[0] ?? OTHER
  } catch {
    return OTHER
  }
}

const isType = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')
