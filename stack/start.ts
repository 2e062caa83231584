import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { appOptions } from '../app/config.ts'
import { onStopRequested, runCommand } from '../lib/cli/command.ts'
import { toArguments, withoutOptions } from '../lib/cli/command-line.ts'
import { UserError } from '../lib/cli/user-error.ts'
import type { Addresses, ListeningMessage } from '../lib/processes/protocol.ts'
import { v8Flags } from './v8-flags.ts'

/**
 * The processes in the order of their start: the app, which needs the others, is the last. Their ports lie in a row, from that of the
 * app on. `shares` names the options of the app that a process has, too. None is started again when it dies.
 */
const programs: Readonly<Record<string, Program>> = {
  orders: { file: 'orders/main.ts', port: 1, shares: [] },
  'logger-transport': { file: 'logger-transport/main.ts', port: 4, shares: ['logDir', 'logFile'] },
  'apm-agent': { file: 'apm-agent/receiver.ts', port: 3, shares: ['apmSocket'] },
}

interface Program {
  readonly file: string
  /** Where its port lies, counted from that of the app. */
  readonly port: number
  readonly shares: readonly (keyof typeof options)[]
}

/** The addresses of the other processes and of the admin server follow from `--port`. */
const { ordersUrl, adminPort, ...options } = appOptions

/** A process that has not ended this long after it was asked to is killed. */
const STOP_LIMIT_MS = 20_000

await runCommand({
  usage: 'npm start -- [options]',
  description:
    'Starts the app, its upstream service and the sidecars that it needs, on ports in a row from --port on. Ctrl-C stops all; a second Ctrl-C kills them.',
  options,
  async run(config) {
    const started: ChildProcess[] = []
    const stop = Promise.withResolvers<string | undefined>()
    onStopRequested(
      () => stop.resolve(undefined),
      () => killAll(started),
    )
    /** @returns the URL of the HTTP server of the process */
    async function run(name: string, file: string, values: Readonly<Record<string, unknown>>) {
      const child = start(name, file, values)
      started.unshift(child)
      child.once('exit', () => stop.resolve(`${name} has ended`))
      const addresses = await listening(child, name)
      process.stderr.write(`${name.padEnd(16)} ${Object.values(addresses).join('  ')}\n`)
      return addresses.http
    }
    const port = (offset: number) => (config.port === 0 ? 0 : config.port + offset)
    const urls: Record<string, string | undefined> = {}
    try {
      for (const [name, program] of Object.entries(programs)) {
        const shared = program.shares.map(key => [key, config[key]])
        const values = { ...Object.fromEntries(shared), port: port(program.port) }
        urls[name] = await run(name, program.file, values)
      }
      const addresses = { adminPort: port(2), ordersUrl: urls.orders }
      await run('app', 'app/main.ts', { ...config, ...addresses })
      const failure = await stop.promise
      if (failure) throw new UserError(`${failure}; the others are stopped`)
    } finally {
      for (const child of started) await end(child)
    }
  },
})

/**
 * Starts a process. Values that it does not get here have their defaults: a variable such as DMT_HOST is meant for the app. It ends
 * by itself when this process has gone, because its channel closes.
 */
function start(name: string, file: string, values: Readonly<Record<string, unknown>>): ChildProcess {
  const { flags, env } = toArguments(appOptions, values)
  return fork(join(import.meta.dirname, '..', file), flags, {
    execArgv: [...(v8Flags[name] ?? [])],
    env: { ...withoutOptions(process.env), ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** @throws UserError when the process ends before it listens; it has said why */
async function listening(child: ChildProcess, name: string): Promise<Addresses> {
  const ended = once(child, 'exit').then(() => {
    throw new UserError(`${name} did not start`)
  })
  const [{ addresses }] = (await Promise.race([once(child, 'message'), ended])) as [ListeningMessage]
  return addresses
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // A process that was stopped with SIGSTOP hears nothing.
  child.kill('SIGCONT')
  if (child.connected) child.disconnect()
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(limit)
}

const killAll = (children: readonly ChildProcess[]) => {
  for (const child of children) child.kill('SIGKILL')
}
