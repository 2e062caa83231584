/**
 * Everything that can be reached from some items, the items included.
 * @param next the items that one item leads to
 */
export function reach<Item>(from: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(from)
  for (const item of reached) for (const found of next(item)) reached.add(found)
  return reached
}
