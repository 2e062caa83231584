import type { Step } from '../../app/steps.ts'
import { type References, reach, referencesOf } from '../../lib/build/sources/references.ts'
import type { Tree } from './git.ts'
import { choose, isHelper } from './rules.ts'
import { withoutAbsent } from './without.ts'

/** The references of the sources as they are on main, by their trees. */
const ofWhole = new WeakMap<Tree, Map<string, References>>()

/** The sources of a step and the references between them: each is without the lines that name an absent file. */
export class Graph {
  /** Texts that differ from those of the tree. */
  readonly changed: Map<string, string>
  readonly #tree: Tree
  readonly #step: Step
  readonly #isAbsent: (path: string) => boolean
  readonly #ofWhole: Map<string, References>
  readonly #references = new Map<string, References>()
  readonly #directories = new Map<string, string[]>()

  /**
   * @param isAbsent whether a file of the tree is not on the branch, whatever refers to it
   * @param written files with another text
   */
  constructor(
    tree: Tree,
    step: Step,
    isAbsent: (path: string) => boolean,
    written: ReadonlyMap<string, string> = new Map(),
  ) {
    this.changed = new Map(written)
    this.#tree = tree
    this.#step = step
    this.#isAbsent = isAbsent
    this.#ofWhole = ofWhole.get(tree) ?? new Map()
    ofWhole.set(tree, this.#ofWhole)
    for (const path of tree.keys()) {
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const directory = path.slice(0, end)
        this.#directories.set(directory, [...(this.#directories.get(directory) ?? []), path])
      }
    }
  }

  /** The files to which a part of a source refers. */
  referencesIn = (path: string, part: string): ReadonlySet<string> => this.#read(path, part).files

  /** The same sources, but some with another text. */
  with(changed: ReadonlyMap<string, string>): Graph {
    return new Graph(this.#tree, this.#step, this.#isAbsent, new Map([...this.changed, ...changed]))
  }

  text = (path: string): string => this.changed.get(path) ?? this.#tree.get(path)?.content.toString() ?? ''

  /** These files and all files that they reach. */
  reach(roots: readonly string[]): Set<string> {
    return reach(roots, path => this.referencesOf(path).files)
  }

  packagesOf(files: Iterable<string>): Set<string> {
    return new Set([...files].flatMap(file => [...this.referencesOf(file).packages]))
  }

  referencesOf(path: string): References {
    const known = this.#references.get(path) ?? this.#reduce(path)
    this.#references.set(path, known)
    return known
  }

  /** Removes what a source may not name. A test is not changed. */
  #reduce(path: string): References {
    if (this.changed.has(path)) return this.#read(path, this.text(path))
    const whole = this.#ofWhole.get(path) ?? this.#read(path, this.text(path))
    this.#ofWhole.set(path, whole)
    if (isHelper(path) || !/\.tsx?$/.test(path)) return whole
    const isUnwanted = (line: string) => [...this.#read(path, line).files].some(this.#isAbsent)
    const text = withoutAbsent(choose(this.text(path), this.#step), isUnwanted)
    if (text === this.text(path)) return whole
    this.changed.set(path, text)
    return this.#read(path, text)
  }

  #read(path: string, text: string): References {
    if (!/\.(tsx?|js|json)$/.test(path)) return { files: new Set(), packages: new Set() }
    return referencesOf(path, text, {
      has: file => this.#tree.has(file),
      below: directory => this.#directories.get(directory) ?? [],
    })
  }
}
