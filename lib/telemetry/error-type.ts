/** The value of `error.type` for an error of which nothing is known. */
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
