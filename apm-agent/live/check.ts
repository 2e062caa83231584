import { BUCKETS } from './pulse.ts'

/** What comes from other processes is believed only as far as it was looked at. */
export type Check = (given: unknown) => boolean

/** Counts and times: what is more than this nobody has lived to see. */
const MOST = 1e15

export const amount: Check = given => typeof given === 'number' && given >= 0 && given <= MOST
const integer =
  (max: number): Check =>
  given =>
    Number.isInteger(given) && amount(given) && (given as number) <= max
export const count: Check = integer(MOST)
export const text =
  (max: number): Check =>
  given =>
    typeof given === 'string' && given.length <= max
export const orNull =
  (check: Check): Check =>
  given =>
    given === null || check(given)
export const list =
  (check: Check, max: number): Check =>
  given =>
    Array.isArray(given) && given.length <= max && given.every(check)
export const object =
  (checks: Readonly<Record<string, Check>>): Check =>
  given =>
    isObject(given) && Object.entries(checks).every(([key, check]) => check(given[key]))
/** Each value by its name. */
export const record =
  (name: Check, value: Check, max: number): Check =>
  given =>
    isObject(given) &&
    Object.keys(given).length <= max &&
    Object.entries(given).every(([key, each]) => name(key) && value(each))

const isBucket = integer(BUCKETS - 1)
export const isLatencies: Check = list(
  given => Array.isArray(given) && given.length === 2 && isBucket(given[0]) && count(given[1]),
  BUCKETS,
)

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
