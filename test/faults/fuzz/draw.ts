import { seededRandom } from '../../../lib/random.ts'

/** Numbers for which code with a length, a count or an offset often has a bug. */
const EDGES = [0, 1, 7, 8, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

/** Draws inputs at random. The same seed gives the same inputs. */
export class Draw {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  times<T>(atMost: number, make: () => T): T[] {
    return Array.from({ length: this.below(atMost + 1) }, make)
  }

  bytes(atMost: number): Buffer {
    return Buffer.from(this.times(atMost, () => this.below(256)))
  }

  /** Characters from `first` to `last`. */
  text(atMost: number, first = 0x21, last = 0x7e): string {
    return this.times(atMost, () => String.fromCharCode(first + this.below(last - first + 1))).join('')
  }

  /** A copy of the bytes in which a few are changed. */
  mutate(bytes: Uint8Array): Buffer {
    let mutated: Buffer = Buffer.from(bytes)
    for (let left = 1 + this.below(4); left > 0; left--) {
      const at = this.below(mutated.length + 1)
      const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)]
      const length = this.below(16)
      mutated = this.pick<() => Buffer>([
        () => Buffer.concat([before, flip(after, this.below(8))]),
        () => Buffer.concat([before, edge(this.pick(EDGES)), after.subarray(4)]),
        () => Buffer.concat([before, this.bytes(16), after]),
        () => Buffer.concat([before, after.subarray(length)]),
        () => Buffer.concat([before, after.subarray(0, length), after]),
        () => before,
      ])()
    }
    return mutated
  }
}

function flip(bytes: Uint8Array, bit: number): Buffer {
  const flipped = Buffer.from(bytes)
  if (flipped.length > 0) flipped[0] = (flipped[0] as number) ^ (1 << bit)
  return flipped
}

function edge(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
