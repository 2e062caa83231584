import { parseArgs } from 'node:util'
import { parseDurationMs } from './units.ts'
import { UserError } from './user-error.ts'

/**
 * One option of a command. Its key names the flag, the environment variable and the value:
 * `requestTimeoutMs` is `--request-timeout 10s` or `REQUEST_TIMEOUT=10s`, and 10000 in the program.
 */
export interface Option<T> {
  readonly help: string
  /** What stands after the flag in `--help`; none for a switch. */
  readonly placeholder?: string
  /** The value when neither flag nor variable is given, as a person would write it. */
  readonly default?: string
  /** Says what is expected when `parse` answers undefined. */
  readonly expected: string
  parse(text: string): T | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds options of every type
export type OptionTable = Readonly<Record<string, Option<any>>>

/** The values of a table of options; undefined where an option has no default and was not given. */
export type Values<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer T>
    ? T | (Table[Key] extends { default: string } ? never : undefined)
    : never
}

interface Described {
  readonly help: string
  readonly default?: string
}

export const text = <D extends Described & { placeholder: string }>(option: D) => ({
  ...option,
  expected: 'some text',
  parse: (given: string) => given || undefined,
})

/** Text that may be empty, which is its default. */
export const words = <D extends Described>(option: D & { max: number }) => ({
  ...option,
  placeholder: 'TEXT',
  default: '',
  expected: `text of at most ${option.max} characters`,
  parse: (given: string) => (given.length <= option.max ? given : undefined),
})

export const integer = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'N',
  expected: `an integer from ${option.min} to ${option.max}`,
  parse: (given: string) => parseInteger(given, option.min, option.max),
})

/** A share of a whole, such as 0.25. */
export const fraction = <D extends Described>(option: D) => ({
  ...option,
  placeholder: 'SHARE',
  expected: 'a number from 0 to 1, such as 0.25',
  parse: (given: string) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(given) ? Number(given) : undefined),
})

/** A number of milliseconds, written with its unit. The key of such an option ends in `Ms`. */
export const duration = <D extends Described>(option: D & { minMs?: number }) => ({
  ...option,
  placeholder: 'TIME',
  expected: `a duration such as 5ms, 2s or 1m${option.minMs ? `, at least ${option.minMs}ms` : ''}`,
  parse(given: string) {
    const durationMs = parseDurationMs(given)
    return durationMs !== undefined && durationMs >= (option.minMs ?? 0) ? durationMs : undefined
  },
})

/** A share, written as `3%`; the number of percent in the program. The key of such an option ends in `Percent`. */
export const percent = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'SHARE',
  expected: `a share such as 3% or 0.5%, from ${option.min}% to ${option.max}%`,
  parse(given: string) {
    const share = /^\d+(\.\d+)?%$/.test(given) ? Number.parseFloat(given) : Number.NaN
    return share >= option.min && share <= option.max ? share : undefined
  },
})

export const url = <D extends Described>(option: D) => ({
  ...option,
  placeholder: 'URL',
  expected: 'a URL such as http://127.0.0.1:3001',
  parse: (given: string) => (/^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined),
})

export const choice = <D extends Described, T extends string>(option: D & { choices: readonly T[] }) => ({
  ...option,
  placeholder: 'NAME',
  expected: `one of ${option.choices.join(', ')}`,
  parse: (given: string) => option.choices.find(known => known === given),
})

export const choices = <D extends Described, T extends string>(option: D & { choices: readonly T[] }) => ({
  ...option,
  placeholder: 'A,B,C',
  expected: `a list of ${option.choices.join(', ')}`,
  parse: (given: string) => {
    const names = given.split(',')
    return names.every(name => option.choices.includes(name as T)) ? (names as T[]) : undefined
  },
})

export const integers = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'N,N,N',
  expected: `a list of integers from ${option.min} to ${option.max}`,
  parse(given: string) {
    const values = given.split(',').map(each => parseInteger(each, option.min, option.max))
    return values.every(value => value !== undefined) ? values : undefined
  },
})

/** A list of words that are not known beforehand. */
export const names = <D extends Described>(option: D) => ({
  ...option,
  placeholder: 'A,B,C',
  expected: 'a list of names',
  parse: (given: string) => given.split(',').filter(Boolean),
})

/** A switch: off unless given; as a variable, `true` or `false`. */
export const toggle = <D extends Described>(option: D) => ({
  ...option,
  default: 'false',
  expected: 'true or false',
  parse: (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined),
})

/** The integer that `given` spells in decimal digits, when it lies in [min, max]; undefined otherwise. */
export function parseInteger(given: string, min: number, max: number): number | undefined {
  const value = /^-?\d{1,15}$/.test(given) ? Number(given) + 0 : Number.NaN
  return value >= min && value <= max ? value : undefined
}

/** `requestTimeoutMs` as a flag without its dashes: `request-timeout`. */
const flagName = (key: string): string =>
  key.replace(/(Ms|Percent)$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const variableName = (key: string): string => flagName(key).replaceAll('-', '_').toUpperCase()

/** An environment without the variables of a table, for a child whose options are all given as flags. */
export function withoutOptions(env: NodeJS.ProcessEnv, ...tables: OptionTable[]): NodeJS.ProcessEnv {
  const names = new Set(tables.flatMap(table => Object.keys(table).map(variableName)))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}

export interface CommandLine<Table extends OptionTable> {
  readonly values: Values<Table>
  /** The words that are no options. */
  readonly words: readonly string[]
}

/**
 * Reads flags, then environment variables, then defaults.
 * @throws UserError one line that says which option is wrong, what it received and what it expects
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
    { type: option.placeholder ? ('string' as const) : ('boolean' as const) },
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(known),
      allowPositionals: true,
    })
    const flags = Object.entries(values).map(([flag, value]) => [flag, String(value)])
    return { flags: Object.fromEntries(flags) as Record<string, string>, words: positionals }
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/)
    throw new UserError(`${sentence}; --help lists the options`)
  }
}

/** The flags that give a command these values again; switches that are off and absent values are left out. */
export function toFlags(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return [`--${flagName(key)}`]
    return [`--${flagName(key)}=${value}${unitOf(key)}`]
  })
}

const unitOf = (key: string) => (key.endsWith('Ms') ? 'ms' : key.endsWith('Percent') ? '%' : '')

/** The lines of `--help` for a table of options. */
export function describeOptions(table: OptionTable): string {
  const rows = Object.entries(table).map(([key, option]) => {
    const flag = `--${flagName(key)}${option.placeholder ? ` ${option.placeholder}` : ''}`
    const standard = option.default && option.default !== 'false' ? ` (default ${option.default})` : ''
    return [flag, `${option.help}${standard}`] as const
  })
  const width = Math.max(...rows.map(([flag]) => flag.length))
  return rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`).join('\n')
}
