import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { AppConfig } from '../app/config.ts'
import { toFlags, variableName } from '../lib/cli/command-line.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { findFreePort } from '../lib/http/listen.ts'
import type { MemberMessage, StackMessage } from '../lib/processes/protocol.ts'
import type { ProcessOptions } from '../lib/processes/start-process.ts'

/** Debian installs servers here, which is not on the path of every user. */
const SBIN = '/usr/sbin'
/** Memory of the stream of jobs, and disk, which it does not use. */
const LIMITS = { memory: '256M', disk: '1M' }

/** The path of nats-server; undefined if this machine has none. */
export const natsServerPath: string | undefined = [...(process.env.PATH ?? '').split(delimiter), SBIN]
  .map(directory => join(directory, 'nats-server'))
  .find(file => existsSync(file))

/**
 * Starts a server of NATS and one worker on this machine, for an app with `--compute nats`. If a server is named, its
 * workers are elsewhere. URLs are passed in the environment, because every user can read command lines.
 * @param directory a directory of the stack, which no other user can read
 * @param startMember starts a process, with variables beside those of the stack
 * @returns environment variables for the app
 * @throws UserError when they cannot be started
 */
export async function startNats(
  { nats, faults, threads, workerPriority, taskTimeoutMs, workerMemoryMib }: Partial<AppConfig>,
  directory: string,
  startMember: (member: Omit<ProcessOptions, 'echo'>) => Promise<unknown>,
): Promise<NodeJS.ProcessEnv> {
  const given = nats ?? process.env.NATS_URL
  if (given !== undefined) return { [variableName('nats')]: given }
  const { member, url } = await prepareNatsServer(directory)
  const env = { [variableName('nats')]: url }
  await startMember(member)
  const tasks = faults ? join(import.meta.dirname, '../workers/tasks.faulty.ts') : undefined
  await startMember({
    name: 'worker',
    file: join(import.meta.dirname, '../workers/remote.ts'),
    flags: toFlags({ port: 0, threads, workerPriority, taskTimeoutMs, workerMemoryMib, tasks }),
    env,
  })
  return env
}

/** A server of NATS that is yet to be started. */
export interface NatsServer {
  /** How a stack starts it as one of its processes. */
  readonly member: Pick<ProcessOptions, 'name' | 'file' | 'flags'> & Required<Pick<ProcessOptions, 'fork'>>
  /** Its URL, with the token that its clients need. */
  readonly url: string
}

/**
 * Prepares a server of NATS on loopback with JetStream. Only who knows the random token of its URL can use it.
 * @param directory its own, which no other user can read
 * @throws UserError when this machine has no nats-server
 */
export async function prepareNatsServer(directory: string): Promise<NatsServer> {
  const command = natsServerPath
  if (command === undefined) {
    throw new UserError(
      'compute nats needs a server of NATS, and there is no nats-server on the path; install one (Debian: apt install nats-server; or https://github.com/nats-io/nats-server/releases), or name one with --nats',
    )
  }
  const port = await findFreePort()
  const address = `127.0.0.1:${port}`
  const token = randomUUID()
  const config = join(directory, 'nats-server.conf')
  writeFileSync(
    config,
    `jetstream { store_dir: "${directory}", max_memory_store: ${LIMITS.memory}, max_file_store: ${LIMITS.disk} }
authorization { token: "${token}" }
`,
    { mode: 0o600 },
  )
  return {
    member: {
      name: 'nats',
      file: '',
      flags: ['--config', config, '--addr', '127.0.0.1', '--port', String(port)],
      fork: flags => forkAsMember(command, flags, `nats://${address}`),
    },
    url: `nats://${token}@${address}`,
  }
}

/**
 * Starts a program that knows nothing of stacks, and speaks for it: reports that it listens, and obeys `stop`. Where
 * the system can, the program is killed if this process ends without stopping it.
 */
function forkAsMember(command: string, flags: readonly string[], url: string): ChildProcess {
  const [program, ...args] = existsSync('/usr/bin/setpriv')
    ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL', command, ...flags]
    : [command, ...flags]
  // In a process group of its own, it does not get the Ctrl-C of a terminal: the stack stops it after its clients.
  const child = spawn(program as string, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const warnings = new PassThrough()
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', line => {
    const listening: MemberMessage = { kind: 'listening', addresses: { nats: url } }
    if (line.includes('Server is ready')) child.emit('message', listening)
    if (!line.includes('[INF]')) warnings.write(`${line}\n`)
  })
  return Object.assign(child, {
    stderr: warnings,
    connected: true,
    send: (message: StackMessage) => message.kind === 'stop' && child.kill('SIGTERM'),
  }) as unknown as ChildProcess
}
