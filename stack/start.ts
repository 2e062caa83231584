import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { appOptions, composeFrom } from '../app/config.ts'
import { isNeeded } from '../app/sidecars.ts'
import { runCommand } from '../lib/cli/command.ts'
import { onStopRequested } from '../lib/cli/stop-requested.ts'
import { UserError } from '../lib/cli/user-error.ts'
import type { Addresses, MemberMessage, StackMessage } from '../lib/processes/protocol.ts'
import { v8Flags } from './v8-flags.ts'

/** The processes in the order of their start: the app, which needs the others, is the last. None is started again when it dies. */
const files = {
  orders: 'orders/main.ts',
  'logger-transport': 'logger-transport/main.ts',
  'apm-agent': 'apm-agent/receiver.ts',
  app: 'app/main.ts',
} as const

await runCommand({
  usage: 'npm start -- [options of the app]',
  description:
    'Starts the app, its upstream service and the sidecars that it needs, on ports in a row from --port on. Ctrl-C stops all.',
  options: appOptions,
  async run(config) {
    const composition = composeFrom(config)
    const urls = new Map<string, string>()
    const started: ChildProcess[] = []
    const stop = Promise.withResolvers<string | undefined>()
    onStopRequested(() => stop.resolve(undefined))
    try {
      for (const [name, file] of Object.entries(files)) {
        if ((name === 'logger-transport' || name === 'apm-agent') && !isNeeded(name, composition)) continue
        const child = start(name, file, flagsOf(name, config.port, urls))
        started.unshift(child)
        const addresses = await listening(child, name)
        urls.set(name, addresses.http as string)
        process.stderr.write(`${name.padEnd(16)} ${Object.values(addresses).join('  ')}\n`)
        child.once('exit', () => stop.resolve(`${name} has ended`))
      }
      const failure = await stop.promise
      if (failure) throw new UserError(`${failure}; the others are stopped`)
    } finally {
      for (const child of started) await end(child)
    }
  },
})

/** All ports lie in a row, from that of the app on; 0 gives each process a free one. */
function flagsOf(name: string, port: number, urls: ReadonlyMap<string, string>): readonly string[] {
  const at = (offset: number) => (port === 0 ? 0 : port + offset)
  if (name === 'orders') return [`--port=${at(1)}`]
  if (name === 'apm-agent') return [`--port=${at(3)}`]
  if (name === 'logger-transport') return [`--port=${at(4)}`]
  const receiver = urls.get('apm-agent')
  const otlp = receiver ? [`--otlp-url=${receiver}`] : []
  return [`--orders-url=${urls.get('orders')}`, `--admin-port=${at(2)}`, ...otlp, ...process.argv.slice(2)]
}

/** The process ends by itself when this one has gone, because its channel to it closes. */
function start(name: string, file: string, flags: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, '..', file), flags, { execArgv: [...(v8Flags[name] ?? [])] })
}

/** @throws UserError when the process ends before it listens; it has said why */
async function listening(child: ChildProcess, name: string): Promise<Addresses> {
  const ended = once(child, 'exit').then(() => {
    throw new UserError(`${name} did not start`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [MemberMessage]
  if (message.kind !== 'listening') throw new UserError(`${name} said ${message.kind} before it listened`)
  return message.addresses
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.send({ kind: 'stop' } satisfies StackMessage)
  await ended
}
