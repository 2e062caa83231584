import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { join } from 'node:path'
import { MEMBER_STDIO } from '../../../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../../../lib/processes/supervise-process.ts'
import type { AppConfig } from '../../config.ts'
import { type Place, placeVariable } from './instance.ts'

/**
 * Extra time for flushing logs and telemetry after requests have ended. It is less than the stack allows for the whole
 * app.
 */
const STOP_MARGIN_MS = 8000
const APP_FILE = join(import.meta.dirname, '../../main.ts')

/**
 * Starts an instance as a process of `node:cluster`, and starts it again when it dies. The primary accepts connections
 * and hands each to the next free instance; it does not see the requests.
 * @param config the options of the app, with the port that all instances share
 * @throws UserError when the instance does not start
 */
export function startInstance(config: AppConfig, place: Place): Promise<SupervisedProcess> {
  const { port, unreadyMs, drainTimeoutMs } = config
  // Connections are handed out in turns (round robin). The kernel would give most connections to one instance, and a
  // kept connection stays with its instance.
  cluster.schedulingPolicy = cluster.SCHED_RR
  return superviseProcess({
    name: `instance ${place.number}`,
    file: '',
    flags: [...process.argv.slice(2), `--port=${port}`, '--admin-port=0'],
    echo: true,
    stopLimitMs: unreadyMs + drainTimeoutMs + STOP_MARGIN_MS,
    fork: flags => forkInstance(flags, place),
  })
}

function forkInstance(flags: readonly string[], place: Place): ChildProcess {
  cluster.setupPrimary({ exec: APP_FILE, args: [...flags], stdio: [...MEMBER_STDIO], inspectPort: 0 })
  const { process: instance } = cluster.fork(placeVariable(place))
  closeUntakenConnections(instance)
  return instance
}

/** Messages of node:cluster: one offers a connection with its handle, and another acknowledges it. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

interface Handle {
  close(): void
}

/**
 * Closes the connections that were sent to an instance and that it had not accepted when it died. node:cluster forgets
 * them and leaves them open, so their clients would wait for ever.
 */
function closeUntakenConnections(instance: ChildProcess): void {
  const untaken = new Map<number, Handle>()
  const send = instance.send as (message: ClusterMessage, handle?: Handle, ...rest: unknown[]) => boolean
  const sendAndNote: typeof send = (message, handle, ...rest) => {
    if (message.act === 'newconn') untaken.set(message.seq as number, handle as Handle)
    return send.call(instance, message, handle, ...rest)
  }
  Object.assign(instance, { send: sendAndNote })
  instance.on('internalMessage', ({ ack }: ClusterMessage) => untaken.delete(ack as number))
  instance.once('exit', () => {
    for (const handle of untaken.values()) handle.close()
  })
}
