import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import type { Both } from './sample.ts'
import { type Side, variants } from './variants.ts'

type Kind = keyof typeof variants
const kinds = Object.keys(variants) as Kind[]

/** The options of the command line that choose the two sides, as they were given. */
export type Choice = Readonly<Partial<Record<Kind | 'before' | 'after', string>>>

const HERE = '.'

/**
 * Makes both sides, and removes what it has made once `use` is done.
 * @param words the command of both sides, when they differ in something else
 * @param directory where the service is
 * @throws UserError when they are not exactly two, or one cannot be made; also the errors of `use`
 */
export async function withSides<T>(
  choice: Choice,
  words: readonly string[],
  { directory, abort }: { directory: string; abort: AbortSignal },
  use: (sides: Both<Side>) => Promise<T>,
): Promise<T> {
  const kind = findKind(choice, words)
  const base = { directory, path: process.env.PATH ?? '' }
  if (!kind) {
    const sideOf = (command = '') => ({ ...base, name: command, command })
    return use({ before: sideOf(choice.before), after: sideOf(choice.after) })
  }
  const command = words.map(quote).join(' ')
  const here = { ...base, name: 'as it is here', command }
  const root = await mkdtemp(join(tmpdir(), 'main-thread-versus-'))
  try {
    const make = (what: string, index: number): Promise<Side> | Side =>
      what === HERE ? here : variants[kind](here, what, join(root, String(index)), abort)
    const [before, after] = namesOf(kind, choice[kind] as string)
    return await use({ before: await make(before, 0), after: await make(after, 1) })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** @returns undefined when the commands themselves differ */
function findKind(choice: Choice, words: readonly string[]): Kind | undefined {
  const given = kinds.filter(kind => choice[kind] !== undefined)
  const [kind] = given
  if (given.length > 1) throw new UserError(`give one of ${kinds.map(each => `--${each}`).join(', ')}`)
  const commands = [choice.before, choice.after].filter(command => command !== undefined).length
  if (kind && commands > 0)
    throw new UserError(`--${kind} takes the command after "--", not --before and --after`)
  if (kind && words.length === 0) throw new UserError(`--${kind} needs the command of the service after "--"`)
  if (!kind && words.length > 0) throw new UserError('a command after "--" needs --with, --node or --branch')
  if (!kind && commands < 2) {
    throw new UserError(
      'give both commands, --before and --after, or one command after "--" and --with, --node or --branch',
    )
  }
  return kind
}

/** A single name, such as `pino@9`, is compared with the service as it is. */
function namesOf(kind: Kind, given: string): readonly [string, string] {
  const names = given.split(',').map(name => name.trim())
  const [first = '', second] = names
  if (names.length > 2 || names.includes('')) {
    throw new UserError(`--${kind} expects one or two names such as A or A,B, received "${given}"`)
  }
  return second === undefined ? [HERE, first] : [first, second]
}

/** Quotes a word for the shell. */
const quote = (word: string) =>
  /^[\w./:=@%+,{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
