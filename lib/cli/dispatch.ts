import { runCommand } from './command.ts'
import { UserError } from './user-error.ts'

/** Loads a module that runs a command with the arguments of this process. */
type Load = () => Promise<unknown>

/**
 * Runs one of several commands, which the first word names. The command gets the other words and options.
 * @param usage such as `npm run bench -- NAME [options]`
 * @param commands by their names
 * @throws never: a word that names no command is a mistake of the user, one line and exit code 1
 */
export async function dispatch(
  usage: string,
  description: string,
  commands: Readonly<Record<string, Load>>,
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
