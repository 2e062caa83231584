import type { Tree } from './git.ts'
import type { Lock } from './lock.ts'
import type { Manifest } from './manifest.ts'

/** Words of the language that are names of packages too stand here. */
const NO_NAMES = ['LICENSE']

/** Where a tree names packages that the whole project has and the tree has not: `README.md names express`. */
export function findAbsent(whole: Tree, tree: Tree): string[] {
  const { dependencies, devDependencies } = readJson<Manifest>(whole, 'package.json')
  const { packages } = readJson<Lock>(tree, 'package-lock.json')
  const absent = Object.keys({ ...dependencies, ...devDependencies }).filter(
    name => !packages[`node_modules/${name}`],
  )
  const patterns = absent.map(name => new RegExp(`(?<![\\w@/-])${name}(?![\\w-])`, 'i'))
  return [...tree].flatMap(([path, { content }]) => {
    const text = NO_NAMES.includes(path) ? '' : content.toString()
    return absent.filter((_, index) => patterns[index]?.test(text)).map(name => `${path} names ${name}`)
  })
}

const readJson = <Value>(tree: Tree, path: string): Value =>
  JSON.parse(tree.get(path)?.content.toString() ?? '{}')
