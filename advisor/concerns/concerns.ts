import { list, record, text } from '../../lib/check.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { readGivenJson } from '../given-file.ts'
import { concernOfBuiltin, concernsOfBuiltins } from '../owners/builtins.ts'
import type { Owner } from '../owners/owner.ts'
import wellKnown from './concerns.json' with { type: 'json' }

/**
 * The concern of each package, of files in packages (`next/dist/compiled/react/`), and of own folders (`./src/billing`). A
 * name that ends in a slash stands for all names that begin with it.
 */
export type ConcernOf = (owner: Owner) => string

/** The concerns of owners that no table names. */
const rest = {
  own: 'application',
  workspace: 'application',
  package: 'other packages',
  unattributed: 'unattributed',
  control: 'control',
} as const

type Table = Readonly<Record<string, readonly string[]>>

/** The names of all concerns that an owner in a spectrum may have. @param file as of {@link createConcernOf} */
export function namesOfConcerns(file?: string): Set<string> {
  const tables = { ...wellKnown, ...(file ? readTable(file) : {}) }
  const names = new Set([...Object.keys(tables), ...concernsOfBuiltins, ...Object.values(rest)])
  // A spectrum is without the time that watching takes.
  names.delete(rest.control)
  return names
}

/**
 * @param file with more or other concerns, of the form `{ "logging": ["my-logger", "./src/log"] }`
 * @param program the package that runs, if the service itself is one; it and the packages in its scope are the application
 */
export function createConcernOf(file?: string, program?: string): ConcernOf {
  const byName = new Map([...entriesOf(wellKnown), ...(file ? entriesOf(readTable(file)) : [])])
  // Of folders within each other, the innermost decides.
  const innermost = [...byName].toSorted(([one], [other]) => other.length - one.length)
  const scopes = innermost.filter(([name]) => name.endsWith('/'))
  const folders = innermost.filter(([name]) => name.startsWith('./'))
  const ofPackage = (name: string, file: string) =>
    byName.get(file) ??
    scopes.find(([scope]) => scope.startsWith(`${name}/`) && file.startsWith(scope))?.[1] ??
    byName.get(name) ??
    scopes.find(([scope]) => name.startsWith(scope))?.[1]
  const ofFile = (path: string) =>
    folders.find(([folder]) => `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`))?.[1]
  return ({ kind, name: key, path, file = key }) => {
    if (kind === 'builtin') return concernOfBuiltin(key)
    const known = path === undefined ? ofPackage(key, file) : ofFile(`./${path}`)
    if (known) return known
    return program && (key === program || key.startsWith(`@${program}/`)) ? rest.own : rest[kind]
  }
}

const entriesOf = (table: Table): [string, string][] =>
  Object.entries(table).flatMap(([concern, names]) => names.map(name => [name, concern] as [string, string]))

/** More names than any table has, and longer ones. */
const MOST = 100_000
const isTable = record(text(MOST), list(text(MOST), MOST), MOST)

/** @throws UserError when the file is not such a table */
function readTable(file: string): Table {
  const table = readGivenJson('--concerns', file)
  if (isTable(table)) return table
  throw new UserError(`--concerns: ${file} is not of the form { "logging": ["my-logger", "./src/log"] }`)
}
