import { parseDurationMs } from '../units.ts'

/**
 * One option of a command. Its key names the flag, the environment variable and the value: `requestTimeoutMs` is
 * `--request-timeout 10s` or `DMT_REQUEST_TIMEOUT=10s`, and 10000 in the program.
 */
export interface Option<T> {
  readonly help: string
  /** The word after the flag in `--help`; absent for a switch. */
  readonly placeholder?: string
  /** The value when neither flag nor variable is given, as a person would write it. */
  readonly default?: string
  /** Whether the flag may be given several times. `parse` then gets a line for each. */
  readonly isRepeated?: boolean
  /** Describes the expected value, for the error when `parse` returns undefined. */
  readonly expected: string
  readonly choices?: readonly string[]
  /**
   * Whether the value may contain a secret, as a URL with credentials does. A child process gets it by its environment, because
   * every user of the machine can read command lines.
   */
  readonly isSecret?: boolean
  parse(text: string): T | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a table contains options of every type
export type OptionTable = Readonly<Record<string, Option<any>>>

/** The values of a table of options; undefined if an option has no default and was not given. */
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

/** Text that may be empty. The empty text is its default. */
export const words = <D extends Described>(option: D & { max: number }) => ({
  ...option,
  placeholder: 'TEXT',
  default: '',
  expected: `text of at most ${option.max} characters`,
  parse: (given: string) => ([...given].length <= option.max ? given : undefined),
})

export const integer = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'N',
  expected: `an integer from ${option.min} to ${option.max}`,
  parse(given: string) {
    const value = /^-?\d{1,15}$/.test(given) ? Number(given) + 0 : Number.NaN
    return value >= option.min && value <= option.max ? value : undefined
  },
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

/** A share, written as `3%`. The program gets the number of percent. The key of such an option ends in `Percent`. */
export const percent = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'SHARE',
  expected: `a share such as 3% or 0.5%, from ${option.min}% to ${option.max}%`,
  parse(given: string) {
    const share = /^\d+(\.\d+)?%$/.test(given) ? Number.parseFloat(given) : Number.NaN
    return share >= option.min && share <= option.max ? share : undefined
  },
})

/** A list of shares, written as `10%,30%`. The program gets the numbers of percent. The key ends in `Percent`. */
export const percents = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'SHARE,SHARE',
  expected: `a list of shares such as 10%,30%, from ${option.min}% to ${option.max}%`,
  parse: listOf(percent(option).parse),
})

/** A URL, which may contain credentials. */
export const url = <D extends Described>(option: D) => ({
  ...option,
  placeholder: 'URL',
  isSecret: true,
  expected: 'a URL such as http://127.0.0.1:3001',
  parse: (given: string) => (/^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined),
})

/** The URL of a server, without a path. */
export const origin = <D extends Described>(option: D) => ({
  ...url(option),
  isSecret: false,
  expected: 'a URL without path and credentials, such as http://127.0.0.1:3001',
  parse(given: string) {
    const parsed = /^https?:\/\//.test(given) ? URL.parse(given) : null
    return parsed && parsed.pathname === '/' && !parsed.search && !parsed.hash && !parsed.username
      ? given
      : undefined
  },
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
  parse: listOf(choice(option).parse),
})

export const integers = <D extends Described>(option: D & { min: number; max: number }) => ({
  ...option,
  placeholder: 'N,N,N',
  expected: `a list of integers from ${option.min} to ${option.max}`,
  parse: listOf(integer(option).parse),
})

/** A list of words that are not known in advance. */
export const names = <D extends Described>(option: D) => ({
  ...option,
  placeholder: 'A,B,C',
  expected: 'a list of names',
  parse: (given: string) => given.split(',').filter(Boolean),
})

/** A switch, which is off by default; as an environment variable it is `true` or `false`. */
export const toggle = <D extends Described>(option: D) => ({
  ...option,
  default: 'false',
  expected: 'true or false',
  parse: (given: string) => (given === 'true' ? true : given === 'false' ? false : undefined),
})

/** Reads values between commas, each once. */
const listOf =
  <T>(parse: (text: string) => T | undefined) =>
  (given: string): T[] | undefined => {
    const values = given.split(',').map(parse)
    return values.every(value => value !== undefined) ? [...new Set(values)] : undefined
  }

/** The bounds of the options of a pool, the same on the command line and in code. */
export const poolBounds = {
  threads: { min: 1, max: 64 },
  workerPriority: { min: 0, max: 19 },
  workerMemoryMib: { min: 32, max: 65_536 },
  taskTimeoutMs: { minMs: 100 },
  partTimeoutMs: { minMs: 10 },
} as const
