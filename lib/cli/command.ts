import { parseOptions } from './command-line.ts'
import { helpText } from './help.ts'
import { commandWithDashes } from './npm-flags.ts'
import { renameOldVariables } from './option-variables.ts'
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
    for (const warning of renameOldVariables(command.options, process.env))
      process.stderr.write(`${warning}\n`)
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

/** @throws UserError when npm has taken the options of this command */
function refuseFlagsOfNpm(table: OptionTable): void {
  const [, file = '', ...args] = process.argv
  const meant = commandWithDashes(table, { file, args, env: process.env })
  if (meant) throw new UserError(`npm took the options for itself; write "--" before them: ${meant}`)
}

/** One line for a mistake of the user or a failure of the system, the stack for a bug. */
function describeError(error: unknown): string {
  if (error instanceof UserError) return `error: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
