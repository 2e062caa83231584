import type { Attributes } from '@opentelemetry/api'
import { MAX_STRING_LENGTH } from '../protocol.ts'

/** A value that JSON keeps as it is, and that no later change of the service reaches. */
type Plain = string | number | boolean | null | object

/**
 * The attributes of an own span. A value that is no attribute is left out, as in OpenTelemetry's SDK; so is one that is too long for
 * a record. No method throws, because that would end the request of the service.
 */
export class SpanAttributes {
  // An object without a prototype may have a key `__proto__`.
  readonly #values: Record<string, Plain> = Object.create(null)

  set(key: unknown, value: unknown): void {
    if (typeof key !== 'string' || key === '') return
    const plain = copyOf(value)
    if (plain !== undefined) this.#values[key] = plain
  }

  setAll(attributes: Attributes | undefined): void {
    try {
      for (const [key, value] of Object.entries(Object(attributes))) this.set(key, value)
    } catch {
      // Attributes may have getters, which are the service's code.
    }
  }

  toJson(): string {
    return JSON.stringify(this.#values)
  }
}

/** A copy of a value; undefined if it is no attribute, or if its JSON is longer than a record can have. */
function copyOf(value: unknown): Plain | undefined {
  try {
    return copy(value, { chars: MAX_STRING_LENGTH })
  } catch {
    return undefined
  }
}

/** @param room is taken by each part, so that neither a large value nor a circle is followed far @throws as `copyOf` says */
function copy(value: unknown, room: { chars: number }): Plain {
  room.chars -= typeof value === 'string' ? value.length : 1
  if (room.chars < 0) throw new RangeError('too long')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (Number.isFinite(value)) return value as number
  if (Array.isArray(value)) return Array.from(value, each => copy(each, room))
  if (typeof value !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(value)))
    throw new TypeError('no attribute')
  const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(pairs.map(([key, each]) => [copy(key, room), copy(each, room)]))
}
