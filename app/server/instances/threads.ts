import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UserError } from '../../../lib/cli/user-error.ts'
import { readProcessUsage } from '../../../lib/os/usage.ts'
import type { Addresses, Counts } from '../../../lib/processes/protocol.ts'
import { INSTANCE_THREAD, type InstanceKind, type InstanceMessage, type PrimaryMessage } from './contract.ts'
import { placeVariable } from './instance.ts'
import { sumUsages as sum } from './usage.ts'

/**
 * Starts an instance as a thread of this process. Each thread listens on the port by itself (`reusePort`), and the
 * kernel gives it a share of the connections; no thread hands them out. A thread that dies is not started again: the
 * cause of its death may have harmed the process that it shares with the others.
 */
export const startInstance: InstanceKind['startInstance'] = async options => {
  const { config, place, onListening, onEnded } = options
  if (config.listenFd !== undefined)
    throw new UserError(
      'threads cannot share the socket of --listen-fd, which only one of them may close; leave out --instances-as',
    )
  const thread = new Worker(join(import.meta.dirname, 'main.ts'), {
    name: INSTANCE_THREAD,
    workerData: config,
    env: { ...process.env, ...placeVariable(place) },
  })
  const listening = Promise.withResolvers<Addresses>()
  const closed = Promise.withResolvers<Counts>()
  const ended = Promise.withResolvers<string>()
  const on: { [Kind in InstanceMessage['kind']]: (message: InstanceMessage & { kind: Kind }) => void } = {
    listening({ addresses }) {
      onListening(addresses.admin as string)
      listening.resolve(addresses)
    },
    refused: ({ reason }) => listening.reject(new UserError(reason)),
    closed: ({ counts }) => closed.resolve(counts),
  }
  thread.on('message', (message: InstanceMessage) => on[message.kind](message as never))
  thread.on('error', error => ended.resolve(`instance ${place.number} failed: ${describe(error)}`))
  thread.once('exit', () => {
    onEnded()
    ended.resolve(`instance ${place.number} ended`)
    closed.resolve({})
  })
  void ended.promise.then(what => listening.reject(new UserError(what)))
  return {
    addresses: await listening.promise,
    restarts: 0,
    ended: ended.promise,
    stop() {
      thread.postMessage({ kind: 'stop' } satisfies PrimaryMessage)
      return closed.promise
    },
  }
}

/**
 * Each thread reports the usage of the whole process, which counts once. The child processes that it reports are its
 * own.
 */
export const sumUsages: InstanceKind['sumUsages'] = (instances, restarts) => {
  const { user, system } = process.threadCpuUsage()
  const usage = sum(instances, { cpuMicros: user + system, residentBytes: 0 }, restarts)
  const own = readProcessUsage()
  const total = {
    cpuMicros: own.cpuMicros + usage.children.cpuMicros,
    residentBytes: own.residentBytes + usage.children.residentBytes,
  }
  return { ...usage, total }
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
