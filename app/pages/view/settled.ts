/** A promise whose value `use` reads at once: React reads the same two fields of promises that it has awaited. */
export const settled = <Value>(value: Value): Promise<Value> =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })
