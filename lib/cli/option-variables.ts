import type { OptionTable } from './options.ts'

/**
 * The first letters of every environment variable of this project: "Decomposition of the Main Thread". Many shells have
 * a HOST or a PORT for another program. Without the prefix, such a variable would change our options.
 */
const PREFIX = 'DMT_'

/** Our images set this variable. In a container, names without the prefix are still read, until version 0.2.0. */
const IN_IMAGE = `${PREFIX}IN_IMAGE`

/** The environment variable with this name: `REQUEST_TIMEOUT` becomes `DMT_REQUEST_TIMEOUT`. */
export const withPrefix = <Name extends string>(name: Name) => `${PREFIX}${name}` as const

/** The flag for a key, without its dashes: `requestTimeoutMs` becomes `request-timeout`. */
export const flagName = (key: string): string =>
  key.replace(/(Ms|Percent)$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** The environment variable for a key: `requestTimeoutMs` becomes `DMT_REQUEST_TIMEOUT`. */
export const variableName = (key: string): string => withPrefix(bareName(key))

const bareName = (key: string) => flagName(key).replaceAll('-', '_').toUpperCase()

/** An environment without our variables, for a child process whose options are all given as flags. */
export const withoutOptions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(PREFIX)))

/**
 * In a container, renames the variables of a table that still have their old names, which are without the prefix. A
 * variable that is also given by its new name keeps that value.
 * @returns one line for each old name
 */
export function renameOldVariables(table: OptionTable, env: NodeJS.ProcessEnv): string[] {
  if (!env[IN_IMAGE]) return []
  return Object.keys(table).flatMap(key => {
    const [oldName, newName] = [bareName(key), variableName(key)]
    if (!env[oldName]) return []
    env[newName] ||= env[oldName]
    delete env[oldName]
    return [`warning: ${oldName} is now ${newName}; from version 0.2.0 on, the old name is ignored`]
  })
}
