/** Makes an object with a value for every key. */
export const record = <Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value) =>
  Object.fromEntries(keys.map(key => [key, value(key)])) as Record<Key, Value>
