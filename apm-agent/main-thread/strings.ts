import { MAX_STRING_LENGTH, MAX_STRINGS } from '../protocol.ts'

/**
 * Strings of low cardinality, each with a small number as its id. The id 0 means no string: strings without room are
 * left out.
 */
export class Strings {
  readonly #ids = new Map<string, number>()
  readonly #all: string[] = ['']

  get size(): number {
    return this.#all.length
  }

  /**
   * @param text names of the service's code may be no strings, against their type
   * @param limit strings are refused beyond this number; the limit is lower for strings that clients may choose
   */
  id(text: string, limit: number = MAX_STRINGS): number {
    if (typeof text !== 'string') return this.id(toText(text), limit)
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    if (this.#all.length >= limit || text.length > MAX_STRING_LENGTH) return 0
    this.#ids.set(text, this.#all.length)
    return this.#all.push(text) - 1
  }

  from(firstId: number): readonly string[] {
    return this.#all.slice(firstId)
  }
}

function toText(value: unknown): string {
  try {
    return Array.isArray(value) ? '' : String(value)
  } catch {
    return ''
  }
}
