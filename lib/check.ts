/** Tells whether a value from another process has the shape `T`. */
export type Check<T> = (given: unknown) => given is T
/** The shape that a check has proved. */
export type Checked<C> = C extends Check<infer T> ? T : never

type Checks = Readonly<Record<string, Check<unknown>>>

/** A larger count or time is a mistake of the sender. */
const MOST = 1e15

const check = <T>(test: (given: unknown) => boolean) => test as Check<T>

/** A number from 0 on. */
export const amount = check<number>(given => typeof given === 'number' && given >= 0 && given <= MOST)

export const number = check<number>(Number.isFinite)

export const flag = check<boolean>(given => typeof given === 'boolean')

export const oneOf = <T extends string>(values: readonly T[]) =>
  check<T>(given => (values as readonly unknown[]).includes(given))

export const pattern = (of: RegExp) => check<string>(given => typeof given === 'string' && of.test(given))

/** A whole number from 0 to `max`. */
export const integer = (max: number) =>
  check<number>(given => Number.isInteger(given) && amount(given) && given <= max)

export const count = integer(MOST)

/** A string of at most `max` characters. */
export const text = (max: number) => check<string>(given => typeof given === 'string' && given.length <= max)

export const orNull = <T>(one: Check<T>) => check<T | null>(given => given === null || one(given))

export const orAbsent = <T>(one: Check<T>) => check<T | undefined>(given => given === undefined || one(given))

export const list = <T>(one: Check<T>, max: number) =>
  check<readonly T[]>(given => Array.isArray(given) && given.length <= max && given.every(one))

export const tuple = <T extends readonly unknown[]>(...checks: { readonly [K in keyof T]: Check<T[K]> }) =>
  check<Readonly<T>>(
    given =>
      Array.isArray(given) &&
      given.length === checks.length &&
      checks.every((one, index) => one(given[index])),
  )

/** An object with at least these keys. */
export const object = <C extends Checks>(checks: C) =>
  check<{ readonly [K in keyof C]: Checked<C[K]> }>(
    given => isObject(given) && Object.entries(checks).every(([key, one]) => one(given[key])),
  )

/** An object with at most `max` keys of any name. */
export const record = <T>(name: Check<string>, value: Check<T>, max: number) =>
  check<Readonly<Record<string, T>>>(
    given =>
      isObject(given) &&
      Object.keys(given).length <= max &&
      Object.entries(given).every(([key, each]) => name(key) && value(each)),
  )

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
