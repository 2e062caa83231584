import type { Transferable } from 'node:worker_threads'

const moved = new WeakMap<object, readonly Transferable[]>()

/**
 * Lets a task give away what it returns, instead of a copy of it: `return move(pixels)`.
 * @param transferList what is given away; by default the value itself, or the memory behind it if it is a view such as a
 * Buffer. A value that contains several parts needs the list of them
 * @returns the value
 */
export function move<Value extends object>(value: Value, transferList?: readonly Transferable[]): Value {
  const whole = (ArrayBuffer.isView(value) ? value.buffer : value) as Transferable
  moved.set(value, transferList ?? [whole])
  return value
}

/** What tasks give away with these outputs; undefined if nothing. */
export function transferListOf(outputs: Iterable<unknown>): readonly Transferable[] | undefined {
  let list: Transferable[] | undefined
  for (const output of outputs) {
    const given = moved.get(output as object)
    if (given) list = [...(list ?? []), ...given]
  }
  return list
}
