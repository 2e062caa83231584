import type { Step } from '../../app/steps.ts'
import { reach } from '../../lib/build/sources/reach.ts'
import { type References, referencesOf } from '../../lib/build/sources/references.ts'
import type { Tree } from './git.ts'
import { foreignNames } from './names.ts'
import { isHelper } from './rules.ts'
import { reduceTable } from './table.ts'

/** The references of the files that no step has changed, by their trees: those of a step are mostly those of the others, too. */
const unchanged = new WeakMap<Tree, Map<string, References>>()

/** The references between the files of a tree, with the changes for a step so far. */
export class Graph {
  /** Texts that differ from those of the tree. */
  readonly changed = new Map<string, string>()
  readonly #tree: Tree
  readonly #step: Step
  readonly #isOther: (path: string) => boolean
  readonly #ofTree: Map<string, References>
  readonly #ofChanged = new Map<string, References>()
  readonly #directories = new Map<string, string[]>()

  /** @param isOther whether a file belongs to other steps */
  constructor(tree: Tree, step: Step, isOther: (path: string) => boolean) {
    this.#tree = tree
    this.#step = step
    this.#isOther = isOther
    this.#ofTree = unchanged.get(tree) ?? new Map()
    unchanged.set(tree, this.#ofTree)
    for (const path of tree.keys()) {
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const directory = path.slice(0, end)
        this.#directories.set(directory, [...(this.#directories.get(directory) ?? []), path])
      }
    }
  }

  text = (path: string): string => this.changed.get(path) ?? this.#tree.get(path)?.content.toString() ?? ''

  /** Removes entries from a list: those whose files are not wanted, and those of other steps. */
  reduce(table: string, isWanted: (path: string) => boolean): void {
    const isUnwanted = (line: string) => [...this.#read(table, line).files].some(file => !isWanted(file))
    const isForeign = (line: string) => foreignNames(line, this.#step).length > 0
    this.changed.set(table, reduceTable(table, this.text(table), isUnwanted, isForeign))
    this.#ofChanged.delete(table)
  }

  /** These files and all files that they reach. */
  reach(roots: readonly string[]): Set<string> {
    return reach(roots, path => this.#referencesOf(path).files)
  }

  packagesOf(files: Iterable<string>): Set<string> {
    return new Set([...files].flatMap(file => [...this.#referencesOf(file).packages]))
  }

  /** The reason why a file, or a file that it reaches, does not belong to this step; undefined if all belong to it. */
  misfit(path: string): string | undefined {
    for (const file of this.reach([path])) {
      const how = file === path ? 'it' : `it reaches ${file}, which`
      if (this.#isOther(file)) return `${how} is of other steps`
      // Tests run the implementations that they name; other code asks which one runs.
      const [name] = isHelper(file) ? foreignNames(this.text(file), this.#step) : []
      if (name) return `${how} names ${name}`
    }
    return undefined
  }

  #referencesOf(path: string): References {
    const references = this.changed.has(path) ? this.#ofChanged : this.#ofTree
    const known = references.get(path) ?? this.#read(path, this.text(path))
    references.set(path, known)
    return known
  }

  #read(path: string, text: string): References {
    if (!/\.(tsx?|js|json)$/.test(path)) return { files: new Set(), packages: new Set() }
    return referencesOf(path, text, {
      has: file => this.#tree.has(file),
      below: directory => this.#directories.get(directory) ?? [],
    })
  }
}
