import { parseArgs } from 'node:util'
import type { OptionTable, Values } from './options.ts'
import { UserError } from './user-error.ts'

export interface CommandLine<Table extends OptionTable> {
  readonly values: Values<Table>
  readonly words: readonly string[]
}

/**
 * Reads flags, then environment variables, then defaults.
 * @throws UserError one line that names the wrong option, the received value and the expected one
 */
export function parseOptions<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): CommandLine<Table> {
  const given = readFlags(table, args)
  const values = Object.entries(table).map(([key, option]) => {
    const flag = given.flags[flagName(key)]
    const variable = env[variableName(key)] || undefined
    const received = flag ?? variable ?? option.default
    if (received === undefined) return [key, undefined]
    const value = option.parse(received)
    if (value !== undefined) return [key, value]
    const name = flag === undefined && variable !== undefined ? variableName(key) : `--${flagName(key)}`
    throw new UserError(`${name} expects ${option.expected}, received ${JSON.stringify(received)}`)
  })
  return { values: Object.freeze(Object.fromEntries(values)), words: given.words }
}

function readFlags(table: OptionTable, args: readonly string[]) {
  const known = Object.entries(table).map(([key, option]) => [
    flagName(key),
    {
      type: option.placeholder ? ('string' as const) : ('boolean' as const),
      multiple: option.isRepeated ?? false,
    },
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(known),
      allowPositionals: true,
    })
    const flags = Object.entries(values).map(([flag, value]) => [flag, [value].flat().join('\n')])
    return { flags: Object.fromEntries(flags) as Record<string, string>, words: positionals }
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s|\n/)
    throw new UserError(`${sentence}; --help lists the options`)
  }
}

/** The flags that give a command these values again. Absent values and switches that are off are left out. */
export function toFlags(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return [`--${flagName(key)}`]
    const values = [value].flat().map(each => `${each}${unitOf(key)}`)
    return [`--${flagName(key)}=${values}`]
  })
}

/** What gives a child process these values of its options: flags, and environment variables for values that may be secret. */
export function toArguments(table: OptionTable, values: Readonly<Record<string, unknown>>) {
  const isSecret = ([key, value]: readonly [string, unknown]) => table[key]?.isSecret && value !== undefined
  const entries = Object.entries(values)
  return {
    flags: toFlags(Object.fromEntries(entries.filter(entry => !isSecret(entry)))),
    env: Object.fromEntries(
      entries.filter(isSecret).map(([key, value]) => [variableName(key), String(value)]),
    ),
  }
}

const unitOf = (key: string) => (key.endsWith('Ms') ? 'ms' : key.endsWith('Percent') ? '%' : '')

/**
 * The first letters of every environment variable of this project: "Decomposition of the Main Thread". Many shells have
 * a HOST or a PORT for another program. Without the prefix, such a variable would change our options.
 */
const PREFIX = 'DMT_'

/** The environment variable with this name: `REQUEST_TIMEOUT` becomes `DMT_REQUEST_TIMEOUT`. */
export const withPrefix = <Name extends string>(name: Name) => `${PREFIX}${name}` as const

/** The flag for a key, without its dashes: `requestTimeoutMs` becomes `request-timeout`. */
export const flagName = (key: string): string =>
  key.replace(/(Ms|Percent)$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** The environment variable for a key: `requestTimeoutMs` becomes `DMT_REQUEST_TIMEOUT`. */
export const variableName = (key: string): string =>
  withPrefix(flagName(key).replaceAll('-', '_').toUpperCase())

/** An environment without our variables, for a child process whose options are all given as flags. */
export const withoutOptions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(PREFIX)))
