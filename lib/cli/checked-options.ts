import { MAX_DURATION_MS } from '../units.ts'
import { poolBounds } from './options.ts'

/** The rule for one option that code gives to a package. */
export interface OptionRule {
  /** Describes the expected value, for the error. */
  readonly expected: string
  accepts(value: unknown): boolean
  readonly isRequired?: boolean
}

/** An option of a command has the same bounds: `integerRule(poolOptions.threads)`. */
export const integerRule = ({ min, max }: { readonly min: number; readonly max: number }): OptionRule => ({
  expected: `an integer from ${min} to ${max}`,
  accepts: value => Number.isInteger(value) && isBetween(min, value as number, max),
})

/** The rule for a number of milliseconds. Timers of Node.js with a longer time fire at once; Infinity means no limit. */
export const durationRule = ({ minMs = 0, orInfinity = false }): OptionRule => ({
  expected: `a number of milliseconds from ${minMs} to ${MAX_DURATION_MS}${orInfinity ? ', or Infinity' : ''}`,
  accepts: value =>
    (typeof value === 'number' && isBetween(minMs, value, MAX_DURATION_MS)) ||
    (orInfinity && value === Number.POSITIVE_INFINITY),
})

export const textRule: OptionRule = {
  expected: 'some text',
  accepts: value => typeof value === 'string' && value !== '',
}

export const anyRule: OptionRule = { expected: 'anything', accepts: () => true }

export const functionRule: OptionRule = {
  expected: 'a function',
  accepts: value => typeof value === 'function',
}

export const urlRule: OptionRule = { expected: 'a URL', accepts: value => value instanceof URL }

export const required = (rule: OptionRule): OptionRule => ({ ...rule, isRequired: true })

/**
 * Checks the options that code gives to a package, as strictly as a command line is checked. An option that is absent or
 * undefined is accepted unless it is required. @returns a copy, which does not change when the caller changes the original
 * @throws RangeError one line that names the creator, the option, the expected value and the received one
 */
export function checkOptions<Options extends object>(
  creator: string,
  given: Options,
  rules: Readonly<Record<keyof Options, OptionRule>>,
): Options {
  if (typeof given !== 'object' || given === null)
    throw new RangeError(`${creator} expects an object with options, received ${describeValue(given)}`)
  const options = { ...given }
  const unknown = Object.keys(options).find(name => !Object.hasOwn(rules, name))
  if (unknown !== undefined)
    throw new RangeError(`${creator} has no option ${unknown}; it has ${Object.keys(rules).join(', ')}`)
  for (const [name, { expected, accepts, isRequired }] of Object.entries<OptionRule>(rules)) {
    const value = options[name as keyof Options]
    if (value === undefined ? !isRequired : accepts(value)) continue
    throw new RangeError(`${creator}: ${name} expects ${expected}, received ${describeValue(value)}`)
  }
  return options
}

const isBetween = (min: number, value: number, max: number) => value >= min && value <= max

/** A received value in a few characters. It runs no code of the value. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value).slice(0, 100)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** The rules of the options that every pool of threads has, for code that creates one. */
export const poolRules = {
  threads: integerRule(poolBounds.threads),
  workerPriority: integerRule(poolBounds.workerPriority),
  workerMemoryMib: integerRule(poolBounds.workerMemoryMib),
} as const
