import { join } from 'node:path'
import { toFlags } from '../lib/command-line.ts'
import { variableName } from '../lib/option-variables.ts'
import type { Companion } from './companion.ts'
import { prepareNatsServer } from './nats-server.ts'

/**
 * Starts a server of NATS and one worker on this machine, for an app with `--compute nats`. If a server is named, its
 * workers are elsewhere. URLs are passed in the environment, because every user can read command lines.
 */
export const start: Companion['start'] = async ({ app, directory, startMember }) => {
  const given = app.nats ?? process.env.NATS_URL
  if (given !== undefined) return { [variableName('nats')]: given }
  const { member, url } = await prepareNatsServer(directory)
  const env = { [variableName('nats')]: url }
  await startMember(member)
  const { threads, workerPriority, taskTimeoutMs, workerMemoryMib, faults } = app
  const tasks = faults ? join(import.meta.dirname, '../workers/tasks.faulty.ts') : undefined
  await startMember(
    {
      name: 'worker',
      file: join(import.meta.dirname, '../workers/remote.ts'),
      flags: toFlags({ port: 0, threads, workerPriority, taskTimeoutMs, workerMemoryMib, tasks }),
    },
    env,
  )
  return env
}
