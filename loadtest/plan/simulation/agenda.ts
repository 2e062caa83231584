/** Something that happens at a moment of simulated time. Entries of the same moment happen in the order of their making. */
interface Entry {
  readonly atMicros: number
  readonly number: number
  readonly happen: () => void
}

const comesBefore = (one: Entry, other: Entry) =>
  one.atMicros < other.atMicros || (one.atMicros === other.atMicros && one.number < other.number)

/** The simulated time, in microseconds, and everything that is due: a binary heap by time. */
export class Agenda {
  nowMicros = 0
  readonly #heap: Entry[] = []
  #made = 0

  /** Lets something happen after this time. */
  after(delayMicros: number, happen: () => void): void {
    const entry = { atMicros: this.nowMicros + delayMicros, number: this.#made++, happen }
    this.#heap.push(entry)
    this.#rise(this.#heap.length - 1)
  }

  /** Goes on until this time, or until nothing is due any more. */
  runUntil(endMicros: number): void {
    for (;;) {
      const [next] = this.#heap
      if (!next || next.atMicros > endMicros) break
      this.#removeFirst()
      this.nowMicros = next.atMicros
      next.happen()
    }
    this.nowMicros = Math.max(this.nowMicros, endMicros)
  }

  #rise(from: number): void {
    const heap = this.#heap
    const entry = heap[from] as Entry
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!comesBefore(entry, heap[parent] as Entry)) break
      heap[index] = heap[parent] as Entry
      index = parent
    }
    heap[index] = entry
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop() as Entry
    if (heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      if (left >= heap.length) break
      const right = left + 1
      const child =
        right < heap.length && comesBefore(heap[right] as Entry, heap[left] as Entry) ? right : left
      if (!comesBefore(heap[child] as Entry, last)) break
      heap[index] = heap[child] as Entry
      index = child
    }
    heap[index] = last
  }
}
