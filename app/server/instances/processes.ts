import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { join } from 'node:path'
import { variableName } from '../../../lib/cli/command-line.ts'
import type { MemberMessage } from '../../../lib/processes/protocol.ts'
import { MEMBER_STDIO } from '../../../lib/processes/start-process.ts'
import { type SupervisedProcess, superviseProcess } from '../../../lib/processes/supervise-process.ts'
import type { AppConfig } from '../../config.ts'
import { type Place, placeVariable } from './instance.ts'
import { closeUntakenConnections } from './untaken-connections.ts'

/**
 * Extra time for flushing logs and telemetry after requests have ended. It is less than the stack allows for the whole
 * app.
 */
const STOP_MARGIN_MS = 8000
const INSTANCE_FILE = join(import.meta.dirname, 'main.ts')

interface InstanceOptions {
  /** The options of the app, with the port that all instances share. */
  readonly config: AppConfig
  readonly place: Place
  /** Called when the instance listens, also after each restart. */
  onListening(adminUrl: string): void
  /** Called when the instance has ended. */
  onEnded(): void
}

/**
 * Starts an instance as a process of `node:cluster`, and starts it again when it dies. The primary accepts connections
 * and hands each to the next free instance; it does not see the requests.
 * @throws UserError when the instance does not start
 */
export function startInstance(options: InstanceOptions): Promise<SupervisedProcess> {
  const { port, faultToken, unreadyMs, drainTimeoutMs } = options.config
  // Connections are handed out in turns (round robin). The kernel would give most connections to one instance, and a
  // kept connection stays with its instance.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // A token must not be in the arguments of a process, which others can read.
  const secrets = faultToken === undefined ? {} : { [variableName('faultToken')]: faultToken }
  return superviseProcess({
    name: `instance ${options.place.number}`,
    file: '',
    flags: [...process.argv.slice(2), `--port=${port}`, '--admin-port=0'],
    echo: true,
    stopLimitMs: unreadyMs + drainTimeoutMs + STOP_MARGIN_MS,
    fork: flags => follow(forkInstance(flags, { ...secrets, ...placeVariable(options.place) }), options),
  })
}

function follow(child: ChildProcess, { onListening, onEnded }: InstanceOptions): ChildProcess {
  child.on('message', (message: MemberMessage) => {
    if (message.kind === 'listening') onListening(message.addresses.admin as string)
  })
  child.once('exit', onEnded)
  return child
}

function forkInstance(flags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  cluster.setupPrimary({ exec: INSTANCE_FILE, args: [...flags], stdio: [...MEMBER_STDIO], inspectPort: 0 })
  const { process: instance } = cluster.fork(env)
  closeUntakenConnections(instance)
  return instance
}
