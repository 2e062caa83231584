const kinds = ['ready', 'replies', 'late', 'chunks', 'usage', 'tasks', 'toString', '', 7, null, undefined]
const plain = [undefined, null, true, -1, 0, 1, Number.NaN, 2 ** 53, '', 'text']
const values = [...plain, [], [undefined], [[0, null]], {}]
const fields = ['slot', 'replies', 'chunks', 'id', 'cpuMicros', 'osThreadId', 'hasLoad', '__proto__']

/** Makes messages that no protocol has, and many that look like those of a pool. The same number makes the same ones. */
export function* oddMessages(count: number, seed = 1): Generator<unknown> {
  let state = seed
  const pick = <Item>(list: readonly Item[]): Item => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return list[Math.floor((state / 2 ** 31) * list.length)] as Item
  }
  for (let index = 0; index < count; index++) {
    const message = Object.fromEntries(Array.from({ length: 4 }, () => [pick(fields), pick<unknown>(values)]))
    yield pick([true, true, true, false]) ? { ...message, kind: pick(kinds) } : pick<unknown>(values)
  }
}
