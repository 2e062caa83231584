import { dirname, join } from 'node:path/posix'
import type { Lock } from '../locked-packages.ts'
import { readJson, type Tree } from './git.ts'
import { manifestOf } from './manifest.ts'

/** Files in which names of packages are ordinary words. */
const NO_NAMES = ['LICENSE']

/** Text that may be a file, from the root or relative to the text: `docs/method.md`, `run.ts`. */
const fileLike = /[\w./-]*\.\w+/g

/**
 * Finds the places where a tree names packages or files that the whole project has and the tree lacks: `README.md names
 * express`.
 */
export function findAbsent(whole: Tree, tree: Tree): string[] {
  const packagesIn = absentPackages(whole, tree)
  return [...tree].flatMap(([path, { content }]) => {
    const text = NO_NAMES.includes(path) ? '' : content.toString()
    const absent = [...packagesIn(text), ...absentFiles(whole, tree, path, text)]
    return absent.map(name => `${path} names ${name}`)
  })
}

/** @returns a function that finds the names of absent packages in a text */
function absentPackages(whole: Tree, tree: Tree): (text: string) => string[] {
  const { dependencies, devDependencies } = manifestOf(whole)
  const { packages } = readJson<Lock>(tree, 'package-lock.json')
  const absent = Object.keys({ ...dependencies, ...devDependencies }).filter(
    name => !packages[`node_modules/${name}`],
  )
  const patterns = absent.map(name => new RegExp(`(?<![\\w@/-])${name}(?![\\w-])`, 'i'))
  return text => absent.filter((_, index) => patterns[index]?.test(text))
}

function absentFiles(whole: Tree, tree: Tree, path: string, text: string): string[] {
  const named = new Set(Array.from(text.matchAll(fileLike), ([name]) => name))
  return [...named].filter(name => {
    const meant = [name, join(dirname(path), name)]
    return meant.some(file => whole.has(file)) && !meant.some(file => tree.has(file))
  })
}
