import { join } from 'node:path'
import type { AppConfig } from '../app/config.ts'
import { toFlags, variableName } from '../lib/cli/command-line.ts'
import type { ProcessOptions } from '../lib/processes/start-process.ts'
import { prepareNatsServer } from './nats-server.ts'

type Member = Pick<ProcessOptions, 'name' | 'file' | 'flags' | 'fork'>

interface NatsOptions {
  readonly app: Partial<AppConfig>
  /** A directory of the stack, which no other user can read. */
  readonly directory: string
  /** Starts a process. @param env variables that it has beside those of the stack */
  startMember(member: Member, env?: NodeJS.ProcessEnv): Promise<unknown>
}

/**
 * Starts a server of NATS and one worker on this machine, for an app with `--compute nats`. If a server is named, its
 * workers are elsewhere. URLs are passed in the environment, because every user can read command lines.
 * @returns environment variables for the app
 * @throws UserError when they cannot be started
 */
export async function startNats({ app, directory, startMember }: NatsOptions): Promise<NodeJS.ProcessEnv> {
  const given = app.nats ?? process.env.NATS_URL
  if (given !== undefined) return { [variableName('nats')]: given }
  const { member, url } = await prepareNatsServer(directory)
  const env = { [variableName('nats')]: url }
  await startMember(member)
  const { faults, threads, workerPriority, taskTimeoutMs, workerMemoryMib } = app
  const tasks = faults ? join(import.meta.dirname, '../workers/tasks.faulty.ts') : undefined
  const worker = {
    name: 'worker',
    file: join(import.meta.dirname, '../workers/remote.ts'),
    flags: toFlags({ port: 0, threads, workerPriority, taskTimeoutMs, workerMemoryMib, tasks }),
  }
  await startMember(worker, env)
  return env
}
