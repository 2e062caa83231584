import { relative } from 'node:path'
import { isatty } from 'node:tty'
import { flagName } from './command-line.ts'
import type { OptionTable } from './options.ts'
import { UserError } from './user-error.ts'

/**
 * Whether one of the standard streams is a terminal, at the time of the call: not any more after the terminal was closed. If
 * none is, SIGHUP asks nobody to stop: `nohup`, service managers and containers start a process so, and Node.js itself resets
 * signals that were ignored when it was started.
 */
export const hasTerminal = (): boolean => [0, 1, 2].some(isatty)

/** Keeps this process from ending, before it has cleaned up, because of a terminal or a pipe that was closed. */
export function withstandTerminal(): void {
  if (!hasTerminal() && process.listenerCount('SIGHUP') === 0) process.on('SIGHUP', () => {})
  // A terminal that was closed takes no more lines.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', stopWithoutReader)
}

/** Stops the command, in order if it can, when nobody reads its output any more, as behind `| head`. */
function stopWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (!process.emit('SIGTERM')) process.exit()
}

const WATCH_INTERVAL_MS = 500

/** Calls back when the terminal or npm has ended. npm does not pass SIGTERM on, so its end is watched. */
export function watchParent(stop: () => void, isStopping: () => boolean): void {
  process.on('SIGHUP', hasTerminal() ? stop : () => {})
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent && !isStopping()) return
    clearInterval(watch)
    if (!isStopping()) stop()
  }, WATCH_INTERVAL_MS).unref()
}

/**
 * Without `--` before them, npm takes the flags of `npm start --load 50` for its own: `load` becomes the variable
 * `npm_config_load`, and only `50` reaches the program.
 * @throws UserError when npm has taken options of this command
 */
export function refuseFlagsOfNpm(table: OptionTable): void {
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
