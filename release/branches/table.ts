/**
 * A list without its unwanted entries. An entry is the line `name: () => import('…'),`; or the line `import { name }
 * from '…'` together with the line `name,` or `key: name,`.
 * @param isUnwanted whether a line refers to an unwanted file
 * @param isForeign whether a line names an implementation or step of other steps
 * @throws Error when a remaining line uses a removed name
 */
export function reduceTable(
  path: string,
  text: string,
  isUnwanted: (line: string) => boolean,
  isForeign: (line: string) => boolean,
): string {
  const removed = new Set<string>()
  const lines = text.split('\n').filter(line => {
    if (!isUnwanted(line)) return !isForeign(line)
    for (const name of /^import \{ (.+) \} from/.exec(line)?.[1]?.split(', ') ?? []) removed.add(name)
    return false
  })
  const isEntry = (line: string) =>
    [...removed].some(name => new RegExp(`^\\s+(?:['\\w-]+: )?${name},$`).test(line))
  // The formatter wants an empty list on one line.
  const left = lines
    .filter(line => !isEntry(line))
    .join('\n')
    .replace(/\{\n\}/g, '{}')
  const used = [...removed].find(name => new RegExp(`\\b${name}\\b`).test(left))
  if (used) throw new Error(`${path} is a list, but its ${used} does not stand on a line of its own`)
  return left
}
