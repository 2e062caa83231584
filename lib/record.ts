/** Makes an object with a value for every key. Each page makes some, and `Object.fromEntries` would cost more. */
export function record<Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value) {
  const made = {} as Record<Key, Value>
  for (const key of keys) made[key] = value(key)
  return made
}
