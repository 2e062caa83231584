import type { Attributes } from '@opentelemetry/api'
import { MAX_STRING_LENGTH } from '../protocol.ts'

/** A value that JSON keeps as it is, and that no later change of the service reaches. */
type Plain = string | number | boolean | null | object

/**
 * The attributes of an own span. A value that is no attribute is left out, as in OpenTelemetry's SDK; so is one that
 * throws when it is read, and one that is too long for a record. No method throws, because that would end the request of the service.
 */
export class SpanAttributes {
  // An object without a prototype may have a key `__proto__`.
  readonly #values: Record<string, Plain> = Object.create(null)

  set(key: unknown, value: unknown): void {
    if (typeof key !== 'string' || key === '') return
    const plain = toPlain(value)
    if (plain !== undefined) this.#values[key] = plain
  }

  setAll(attributes: Attributes | undefined): void {
    for (const key of keysOf(attributes)) this.set(key, read(attributes as Attributes, key))
  }

  toJson(): string {
    return JSON.stringify(this.#values)
  }
}

function toPlain(value: unknown): Plain | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string') return value.length <= MAX_STRING_LENGTH ? value : undefined
  if (typeof value === 'boolean' || value === null) return value
  return typeof value === 'object' ? copyOf(value) : undefined
}

/** A list or a plain object by way of JSON; undefined if it has no JSON, or more than a record can have. */
function copyOf(value: object): object | undefined {
  try {
    if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value)))
      return undefined
    const json = JSON.stringify(value)
    return json.length <= MAX_STRING_LENGTH ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}

function keysOf(attributes: unknown): readonly string[] {
  try {
    return Object.keys(Object(attributes))
  } catch {
    return []
  }
}

function read(attributes: Attributes, key: string): unknown {
  try {
    return attributes[key]
  } catch {
    return undefined
  }
}
