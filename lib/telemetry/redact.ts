import type { LogFields } from './log-line.ts'

const REDACTED = '[redacted]'
const MAX_DEPTH = 4
/** The names of most fields are constants. Others must not fill the memory. */
const MOST_NAMES = 1000

/**
 * Replaces the values of fields with these names by `[redacted]`. Case does not matter, and nested fields are replaced
 * down to a depth of four. Redaction happens here and not in the libraries, so that it is the same for all of them and
 * no secret leaves the process. Fields without a secret are passed on without a copy.
 */
export function createRedactor(names: readonly string[]): (fields: LogFields) => LogFields {
  const secret = new Set(names.map(name => name.toLowerCase()))
  const known = new Map<string, boolean>()

  function isSecret(name: string): boolean {
    const answer = known.get(name)
    if (answer !== undefined) return answer
    const isIt = secret.has(name.toLowerCase())
    if (known.size < MOST_NAMES) known.set(name, isIt)
    return isIt
  }

  function redact(fields: LogFields, depth: number): LogFields {
    let copy: Record<string, unknown> | undefined
    for (const name in fields) {
      const value = fields[name]
      const safe = isSecret(name)
        ? REDACTED
        : isFields(value) && depth < MAX_DEPTH
          ? redact(value, depth + 1)
          : value
      if (safe === value) continue
      copy ??= { ...fields }
      copy[name] = safe
    }
    return copy ?? fields
  }
  return fields => redact(fields, 1)
}

const isFields = (value: unknown): value is LogFields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
