import type { LogFields } from '../../../lib/log-line.ts'

const REDACTED = '[redacted]'
const MAX_DEPTH = 4

/**
 * Replaces the values of fields with these names, in any case and at any depth down to four, by `[redacted]`. Redacting here
 * and not in the library makes it the same for all of them, and nothing secret leaves the process. Fields without a
 * secret are handed on as they are, not copied.
 */
export function createRedactor(names: readonly string[]): (fields: LogFields) => LogFields {
  const secret = new Set(names.map(name => name.toLowerCase()))
  const isSecret = (name: string) => secret.has(name) || secret.has(name.toLowerCase())

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
