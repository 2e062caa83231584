import { relative } from 'node:path'
import { flagName, parseOptions } from './command-line.ts'
import { helpText } from './help.ts'
import type { OptionTable, Values } from './options.ts'
import { hasTerminal, terminalColumns } from './terminal.ts'
import { UserError } from './user-error.ts'

/** The width of a help text that goes to a file or a pipe. */
const PIPE_COLUMNS = 80

export interface Command<Table extends OptionTable> {
  /** The line after `Usage:`. */
  readonly usage: string
  readonly description: string
  readonly options: Table
  /** Whether the command takes arguments that are not options. */
  readonly takesWords?: boolean
  run(values: Values<Table>, words: readonly string[]): Promise<void>
}

/**
 * Runs a command with the given arguments, by default those of this process, and with the environment. It prints
 * `--help`, one line for a mistake of the user, and a stack for a bug.
 */
export async function runCommand<Table extends OptionTable>(
  command: Command<Table>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  if (!hasTerminal() && process.listenerCount('SIGHUP') === 0) process.on('SIGHUP', () => {})
  // A terminal that was closed takes no more lines. The next one would end this process before it has cleaned up.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', stopWithoutReader)
  // The words behind `--` may be the command line of another program.
  const first = args.find(arg => ['--help', '-h', '--'].includes(arg))
  if (first !== undefined && first !== '--') {
    process.stdout.write(helpText(command, terminalColumns() ?? PIPE_COLUMNS))
    return
  }
  try {
    refuseFlagsOfNpm(command.options)
    const { values, words } = parseOptions(command.options, args, process.env)
    if (words.length > 0 && !command.takesWords) {
      throw new UserError(`unexpected argument "${words[0]}"; --help lists the options`)
    }
    await command.run(values, words)
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  }
}

/** Stops the command, in order if it can, when nobody reads its output any more, as behind `| head`. */
function stopWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (!process.emit('SIGTERM')) process.exit()
}

/**
 * Without `--` before them, npm takes the flags of `npm start --load 50` for its own: `load` becomes the variable
 * `npm_config_load`, and only `50` reaches the program.
 * @throws UserError when npm has taken options of this command
 */
function refuseFlagsOfNpm(table: OptionTable): void {
  const [, file = '', ...args] = process.argv
  const { env } = process
  // A command that another script started has the variables of that script.
  const path = relative('.', file).replaceAll('\\', '/')
  if (!env.npm_lifecycle_script?.endsWith(` ${path}`)) return
  const flags = Object.keys(table).map(key => `--${flagName(key)}`)
  const isTaken = (flag: string) => env[`npm_config_${flag.slice(2).replaceAll('-', '_')}`]
  const taken = flags.filter(flag => isTaken(flag) && !args.includes(flag))
  if (taken.length === 0) return
  const script = env.npm_lifecycle_event === 'start' ? 'npm start' : `npm run ${env.npm_lifecycle_event}`
  throw new UserError(
    `npm took ${taken.join(', ')} for itself; write "--" before all options: ${script} -- ${taken[0]}`,
  )
}

/** One line for a mistake of the user or a failure of the system, the stack for a bug. */
function describeError(error: unknown): string {
  if (error instanceof UserError) return `error: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const WATCH_INTERVAL_MS = 500
/**
 * Ctrl-C in a terminal reaches npm and its child, and npm passes it on. Two signals within this time are the same
 * Ctrl-C.
 */
const SAME_SIGNAL_MS = 300

/**
 * Calls back once when this command should stop: on Ctrl-C, on SIGTERM, and when its terminal or npm has ended. npm
 * does not pass SIGTERM on, so its end is watched. Further signals do not end the process before it has cleaned up.
 * @param insist called on a further signal, because the user does not want to wait
 */
export function onStopRequested(stop: () => void, insist: () => void = () => {}): void {
  let requestedAtMs: number | undefined
  const request = () => {
    if (requestedAtMs !== undefined) {
      if (performance.now() - requestedAtMs > SAME_SIGNAL_MS) insist()
      return
    }
    requestedAtMs = performance.now()
    clearInterval(watch)
    stop()
  }
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && request(), WATCH_INTERVAL_MS).unref()
  if (!process.env.npm_lifecycle_event) clearInterval(watch)
  process.on('SIGINT', request)
  process.on('SIGTERM', request)
  process.on('SIGHUP', hasTerminal() ? request : () => {})
}

/**
 * Runs one of several commands, which the first word names. The command gets the other words and options.
 * @param usage such as `npm run bench -- NAME [options]`
 * @param commands by their names: each loads a module that runs a command with the arguments of this process
 * @throws never: a word that names no command is a mistake of the user, one line and exit code 1
 */
export async function dispatch(
  usage: string,
  description: string,
  commands: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const [name = '--help'] = process.argv.slice(2)
  const load = commands[name]
  if (load) {
    process.argv.splice(2, 1)
    await load()
    return
  }
  const listed = Object.keys(commands).join(', ')
  await runCommand(
    {
      usage,
      description: `${description} NAME is one of ${listed}; each has its own --help.`,
      options: {},
      takesWords: true,
      async run() {
        throw new UserError(`there is no "${name}"; the names are ${listed}`)
      },
    },
    name.startsWith('-') ? ['--help'] : [name],
  )
}
