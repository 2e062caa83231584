import { availableParallelism } from 'node:os'
import { duration, integer, poolBounds, type Values } from '../lib/cli/options.ts'

/** The options of a pool of threads or processes, wherever it is. */
export const poolOptions = {
  threads: integer({
    ...poolBounds.threads,
    default: String(availableParallelism()),
    help: 'threads (or processes) of each pool; default: the number of cores',
  }),
  workerPriority: integer({
    ...poolBounds.workerPriority,
    default: '10',
    help: "nice value of the pools' threads (on Linux) or processes; 0 is the main thread's priority",
  }),
  taskTimeoutMs: duration({
    ...poolBounds.taskTimeoutMs,
    default: '5s',
    help: "time limit of a request's tasks from their start; after it, their thread or process is replaced",
  }),
  workerMemoryMib: integer({
    ...poolBounds.workerMemoryMib,
    default: '512',
    help: 'heap of each thread or process of the pools; one that exceeds it is replaced',
  }),
} as const

export type PoolValues = Values<typeof poolOptions>

/** The server of NATS. The app and its workers on other machines have this option. */
export const natsOption = {
  placeholder: 'URL',
  isSecret: true,
  expected: 'a URL such as nats://127.0.0.1:4222, or several with commas in between',
  parse: (given: string) => (given.split(',').every(isServer) ? given : undefined),
} as const

const isServer = (given: string) => {
  const url = /^(nats|tls):\/\//.test(given) ? URL.parse(given) : null
  return url !== null && url.hostname !== '' && url.pathname.length <= 1
}
