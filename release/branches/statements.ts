/** A top-level statement of a source, with the comment above it. */
export interface Statement {
  readonly text: string
  /** The names that it declares; none if it is only run. */
  readonly names: readonly string[]
  /** The names that it uses, and some more: words of its strings, of its object keys. */
  readonly words: ReadonlySet<string>
  /** What it imports or exports again: a path, and the names there by their names here. */
  readonly from?: { readonly path: string; readonly names: ReadonlyMap<string, string> } | undefined
}

/** Splits a source as the formatter leaves it: a statement begins in the first column, and all its other lines do not. */
export function statementsOf(text: string): Statement[] {
  const statements: string[] = []
  let lines: string[] = []
  let isBegun = false
  let isInTemplate = false
  let isInComment = false
  for (const line of text.split('\n')) {
    const isComment = isInComment || /^(\/\*|\/\/)/.test(line)
    if (!isInTemplate && isBegun && /^[^\s})\]>]/.test(line)) {
      statements.push(lines.join('\n'))
      lines = []
      isBegun = false
    }
    lines.push(line)
    isBegun ||= !isComment && line !== ''
    if (isComment) isInComment = !line.includes('*/') && (isInComment || line.startsWith('/*'))
    else if ((line.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) isInTemplate = !isInTemplate
  }
  return [...statements, lines.join('\n')].map(readStatement)
}

/** Reads one statement, which may be an inner one. */
export function readStatement(text: string): Statement {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').trim()
  const [, list, path] = /^(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/.exec(code) ?? []
  if (list !== undefined && path !== undefined) {
    const names = new Map(namesOfList(list).map(([there, here]) => [here, there]))
    return { text, names: [...names.keys()], words: new Set(), from: { path, names } }
  }
  const [, all, rest] = /^import (?:type )?(?:\* as )?(\w+)(?:, \{([^}]*)\})? from /.exec(code) ?? []
  if (all) {
    const names = namesOfList(rest ?? '').map(([, here]) => here)
    return { text, names: [all, ...names], words: new Set() }
  }
  const words = new Set(
    Array.from(code.matchAll(/(?<=\.\.\.|(?<![\w$.]))[A-Za-z_$][\w$]*/g), ([word]) => word),
  )
  return { text, names: declaredBy(code), words }
}

const declaration =
  /^(?:export )?(?:declare )?(?:const|let|(?:async )?function\*?|interface|type|(?:abstract )?class) ?(?:\{([^}]*)\}|\[([^\]]*)\]|([\w$]+))/

function declaredBy(code: string): string[] {
  const [, members, items, name] = declaration.exec(code) ?? []
  if (name) return [name]
  return namesOfList(members ?? items ?? '').map(([, here]) => here)
}

/** The names of `a, type b, c as d, e: f, g = 1`, each as it is named there and here. */
export const namesOfList = (list: string): [there: string, here: string][] =>
  list
    .split(',')
    .map(each => /^\s*(?:type )?([\w$]+)(?:(?: as |: ?)([\w$]+))?/.exec(each))
    .filter(found => found !== null)
    .map(([, there = '', here = there]) => [there, here])
