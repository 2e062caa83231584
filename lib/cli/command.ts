import { parseOptions } from './command-line.ts'
import { helpText } from './help.ts'
import type { OptionTable, Values } from './options.ts'
import { watchParent, withstandTerminal } from './surroundings.ts'
import { terminalColumns } from './terminal.ts'
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
  withstandTerminal()
  // The words behind `--` may be the command line of another program.
  const first = args.find(arg => ['--help', '-h', '--'].includes(arg))
  if (first !== undefined && first !== '--') {
    process.stdout.write(helpText(command, terminalColumns() ?? PIPE_COLUMNS))
    return
  }
  try {
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

/** One line for a mistake of the user or a failure of the system, the stack for a bug. */
function describeError(error: unknown): string {
  if (error instanceof UserError) return `error: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Ctrl-C in a terminal reaches npm and its child, and npm passes it on. Two signals within this time are the same Ctrl-C. */
const SAME_SIGNAL_MS = 300

/**
 * Calls back once when this command should stop, as on Ctrl-C. Further signals do not end the process before it has cleaned up.
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
    stop()
  }
  process.on('SIGINT', request)
  process.on('SIGTERM', request)
  watchParent(request, () => requestedAtMs !== undefined)
}

/**
 * Runs one of several commands, which the first word names. The command gets the other words and options.
 * @param commands by their names: each loads a module that runs a command with the arguments of this process
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
