import { namesOfList, readStatement } from './statements.ts'

/**
 * A source without the lines that name an absent module, and without those that use what such a line has made:
 *
 *     import { guard } from './guard.ts'     goes, if guard.ts is absent
 *     const guarded = guard(client)          goes, because it names `guard`
 *     guarded.watch()                        goes, because it names `guarded`
 *     ...guardOptions,                       an entry of a list goes in the same way
 *
 * A line goes with the lines up to its last closing bracket, and with the comment above it.
 * @param isUnwanted whether a line refers to an absent module
 */
export function withoutAbsent(text: string, isUnwanted: (line: string) => boolean): string {
  const lines = text.split('\n')
  const removed: { readonly names: readonly string[]; readonly lastLine: number }[] = []
  const gone = new Set<number>()
  const remove = (at: number) => {
    const [from, to] = statementAt(lines, at)
    for (let line = from; line <= to; line++) gone.add(line)
    const { names } = readStatement(lines.slice(from, to + 1).join('\n'))
    removed.push({ names, lastLine: lastLineOfBlock(lines, to) })
  }
  const isRemoved = (word: string, at: number) =>
    removed.some(({ names, lastLine }) => at <= lastLine && names.includes(word))
  for (const [at, line] of lines.entries()) if (isUnwanted(line)) remove(at)
  if (gone.size === 0) return text
  for (let before = -1; before !== gone.size; ) {
    before = gone.size
    for (const [at, line] of lines.entries()) {
      if (gone.has(at) || /^\s*(\*|\/\/|\/\*)/.test(line) || isImport(lines, at)) continue
      if (wordsOf(line).some(word => isRemoved(word, at))) remove(at)
    }
  }
  return tidy(lines.filter((_, at) => !gone.has(at)).join('\n'))
}

/**
 * A source of which something was removed, as one would write it: without unused names of imports, with a list of no or one entry on one
 * line, without a name for what is returned at once, and with no empty line at the end of a block.
 */
export function tidy(text: string): string {
  return pruneImports(text)
    .replace(/\{\n\s*\}/g, '{}')
    .replace(
      /^(.*)\{\n\s+([^\n{}]+),\n\s*\}(.*)$/gm,
      (whole, before: string, entry: string, after: string) => {
        const line = `${before}{ ${entry} }${after}`
        return line.length <= WIDTH ? line : whole
      },
    )
    .replace(/^( *)const (\w+) = (.+)\n\1return \2$(?!\n\1 )/gm, '$1return $3')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n(\s*[)}\]])/g, '\n$1')
    .replace(/^\n+|\n+(?=\n$)/g, '')
}

/** The words of a line that are names, without its strings and members: `a.b(c, 'd')` has `a` and `c`. */
const wordsOf = (line: string): string[] => {
  const code = line.replace(/'[^']*'/g, '').replace(/\/\/.*$/, '')
  return Array.from(
    code.matchAll(/(\.\.\.|(?<![.\w]))([A-Za-z_]\w*)(?!\s*\??:(?!\s*undefined\b))/g),
    ([, , word]) => word as string,
  )
}

/** The first and the last line of the statement or entry with this line, with the comment above it. */
function statementAt(lines: readonly string[], at: number): [from: number, to: number] {
  let from = at
  // The path of an import of several lines is in its last line.
  if (/^\} from /.test(lines[at] as string)) while (!/^(import|export) /.test(lines[from] as string)) from--
  let [to, depth] = [from, balanceOf(lines[from] as string)]
  while (to < at || depth > 0) depth += balanceOf(lines[++to] as string)
  if (/\*\/$/.test(lines[from - 1] ?? ''))
    do from--
    while (!/^\s*\/\*/.test(lines[from] as string))
  else while (/^\s*\/\//.test(lines[from - 1] ?? '')) from--
  return [from, to]
}

/** The last line of the block with this line: what it declares means nothing behind that. */
function lastLineOfBlock(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] as string)
  const end = lines.findIndex((line, index) => index > at && line !== '' && indentOf(line) < indent)
  return end < 0 ? lines.length : end
}

const indentOf = (line: string): number => line.search(/\S/)

function balanceOf(line: string): number {
  const code = line.replace(/'[^']*'|`[^`]*`|\/[^/ ]+\/|\/\/.*$/g, '')
  return (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length
}

const isImport = (lines: readonly string[], at: number): boolean => {
  let from = at
  while (from > 0 && /^ {2}(type )?\w+( as \w+)?,$/.test(lines[from] as string)) from--
  return /^import /.test(lines[from] as string) || /^\} from /.test(lines[at] as string)
}

const WIDTH = 110

/** Removes the imported names that nothing uses any more. */
function pruneImports(text: string): string {
  return text.replace(
    /^import (type )?\{([^}]*)\} from ('[^']+')\n/gm,
    (whole, type = '', list: string, path: string) => {
      const others = text.replace(whole, '').replace(/^import [^;]*? from '[^']+'$/gm, '')
      const names = list
        .split(',')
        .map(each => each.trim())
        .filter(Boolean)
      const used = names.filter(each => new RegExp(`\\b${namesOfList(each)[0]?.[1]}\\b`).test(others))
      if (used.length === names.length) return whole
      if (used.length === 0) return ''
      const allTypes = used.every(each => each.startsWith('type '))
      const bare = allTypes ? used.map(each => each.replace(/^type /, '')) : used
      const head = `import ${allTypes ? 'type ' : type}`
      const line = `${head}{ ${bare.join(', ')} } from ${path}\n`
      return line.length <= WIDTH + 1
        ? line
        : `${head}{\n${bare.map(each => `  ${each},\n`).join('')}} from ${path}\n`
    },
  )
}
