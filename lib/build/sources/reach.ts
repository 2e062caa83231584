/**
 * Returns everything that can be reached from some items, including these items.
 * @param next returns the items to which one item leads
 */
export function reach<Item>(from: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(from)
  for (const item of reached) for (const found of next(item)) reached.add(found)
  return reached
}
