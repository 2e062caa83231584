import { relative } from 'node:path'
import { flagName } from './option-variables.ts'
import type { Option, OptionTable } from './options.ts'

interface Run {
  /** The file that Node.js runs, and its arguments. */
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The command that a user meant who wrote `npm start --load 50`. Without `--` before them, npm takes the flags for its
 * own: `load` becomes the variable `npm_config_load`, and only `50` reaches the program.
 * @returns the command with `--`; undefined if npm has taken no option of this table
 */
export function commandWithDashes(table: OptionTable, { file, args, env }: Run): string | undefined {
  // A command that another script started has the variables of that script.
  const path = relative(process.cwd(), file).replaceAll('\\', '/')
  if (!env.npm_lifecycle_script?.endsWith(` ${path}`)) return undefined
  const taken = Object.entries(table).flatMap(([key, option]) => {
    const flag = flagName(key)
    const value = env[`npm_config_${flag.replaceAll('-', '_')}`]
    return value && !args.includes(`--${flag}`) ? [{ flag, option, value }] : []
  })
  if (taken.length === 0) return undefined
  const words = [...args]
  const lacking = taken.filter(each => lacksValue(each))
  const found = lacking.length === 1 ? words.pop() : undefined
  const flags = taken.map(each => {
    if (!each.option.placeholder) return `--${each.flag}`
    return `--${each.flag} ${lacksValue(each) ? (found ?? each.option.placeholder) : each.value}`
  })
  const script = env.npm_lifecycle_event
  return [script === 'start' ? 'npm start' : `npm run ${script}`, '--', ...words, ...flags].join(' ')
}

/** With `--load=50` npm keeps the value. With `--load 50` it passes on the value as a word, without its flag. */
const lacksValue = ({ option, value }: { option: Option<unknown>; value: string }): boolean =>
  option.placeholder !== undefined && value === 'true'
