import { integer, text, toggle } from '../../lib/cli/options.ts'
import type { TaskPoolOptions } from '../job.ts'
import { natsOption, poolOptions } from '../options.ts'

export const remoteWorkerOptions = {
  nats: {
    ...natsOption,
    help: 'server of NATS from which tasks are pulled (default: NATS_URL, or nats://127.0.0.1:4222); credentials and TLS as for the command nats: NATS_USER, NATS_PASSWORD, NATS_CREDS, NATS_CA …',
  },
  name: text({
    placeholder: 'NAME',
    help: 'name of this worker, which no other has (default: host and process)',
  }),
  ...poolOptions,
  threads: {
    ...poolOptions.threads,
    help: 'threads that run tasks; default: the number of cores',
  },
  tasks: text({
    placeholder: 'FILE',
    help: 'module of the tasks (default: workers/tasks.ts); only apps with the same one, down to its last source, give this worker tasks. A task depends on its input only, because it runs again when its worker is lost',
  }),
  printVersion: toggle({
    help: 'print the version of the tasks, which is the name of their consumer in NATS, and end',
  }),
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address of /healthz and /readyz' }),
  port: integer({
    min: 0,
    max: 65535,
    default: '3005',
    help: 'port of /healthz and /readyz; 0 takes a free one',
  }),
} as const

export interface WorkerOptions extends TaskPoolOptions {
  readonly name: string
  /** Reports something that a person should know, in one line. */
  note(line: string): void
}
