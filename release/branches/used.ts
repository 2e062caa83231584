import { dirname, join } from 'node:path/posix'
import type { Graph } from './graph.ts'
import { isHelper } from './rules.ts'
import { type Statement, statementsOf } from './statements.ts'
import { tidy } from './without.ts'

/**
 * The sources of a step without the declarations that nothing uses, as a bundler leaves them out. Something is used if a file runs it
 * when it is loaded, or if something that is used names it. All of a file is used that is named in another way than by an import of
 * names: by a lazy import, or by its path.
 * @param roots the files that the step runs
 */
export function withoutUnused(roots: readonly string[], graph: Graph): Graph {
  const used = new Used(graph, graph.reach(roots))
  for (const root of roots) used.load(root)
  const changed = [...used.files].map(path => [path, used.textOf(path)] as const)
  return graph.with(new Map(changed.filter(([path, text]) => text !== graph.text(path))))
}

const readStatements = (graph: Graph, path: string): readonly Statement[] =>
  /\.tsx?$/.test(path) ? statementsOf(graph.text(path)) : []

const spaceAfter = ({ text }: Statement): string => /\n*$/.exec(text)?.[0] ?? ''

class Used {
  readonly files = new Set<string>()
  readonly #graph: Graph
  readonly #reached: ReadonlySet<string>
  readonly #statements = new Map<string, readonly Statement[]>()
  readonly #kept = new Set<Statement>()

  /** @param reached the files that the step reaches with all that they declare */
  constructor(graph: Graph, reached: ReadonlySet<string>) {
    this.#graph = graph
    this.#reached = reached
  }

  /** Adds what a file runs when it is loaded. */
  load(path: string): void {
    if (this.files.has(path) || !this.#reached.has(path)) return
    this.files.add(path)
    if (isHelper(path)) this.#take(path)
    for (const statement of this.#statementsOf(path))
      if (statement.names.length === 0) this.#keep(path, statement)
  }

  /** The text of a file without what is not used. */
  textOf(path: string): string {
    const statements = this.#statementsOf(path)
    if (statements.length === 0) return this.#graph.text(path)
    const texts = statements.map(each => (this.#kept.has(each) ? each.text : spaceAfter(each)))
    const text = texts.join('\n')
    return text === this.#graph.text(path) ? text : tidy(text)
  }

  #statementsOf(path: string): readonly Statement[] {
    const statements = this.#statements.get(path) ?? readStatements(this.#graph, path)
    this.#statements.set(path, statements)
    return statements
  }

  #keep(path: string, statement: Statement): void {
    if (this.#kept.has(statement)) return
    this.#kept.add(statement)
    for (const file of statement.from ? [] : this.#graph.referencesIn(path, statement.text)) this.#take(file)
    for (const word of statement.words) this.#follow(path, word)
  }

  /** Adds all of a file. */
  #take(path: string): void {
    this.load(path)
    for (const statement of this.#statementsOf(path)) {
      this.#keep(path, statement)
      for (const name of statement.from ? statement.names : []) this.#follow(path, name)
    }
  }

  /** Adds what a name means in a file. */
  #follow(path: string, name: string): void {
    for (const statement of this.#statementsOf(path)) {
      if (!statement.names.includes(name)) continue
      this.#keep(path, statement)
      const { from } = statement
      if (!from?.path.startsWith('.')) continue
      const file = join(dirname(path), from.path)
      this.load(file)
      this.#follow(file, from.names.get(name) as string)
    }
  }
}
