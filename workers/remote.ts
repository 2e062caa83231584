import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand } from '../lib/cli/command.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { connectNats } from './remote/connect.ts'
import { remoteWorkerOptions } from './remote/options.ts'
import { versionOf } from './remote/version.ts'
import { RemoteWorker } from './remote/worker.ts'

const TASKS_FILE = join(import.meta.dirname, 'tasks.ts')

await runCommand({
  usage: 'npm run worker -- [options]',
  description: `Runs the tasks of apps with --compute nats, on this or another machine. It pulls as many as its threads have room
for, and may be started, stopped or killed at any time.`,
  options: remoteWorkerOptions,
  async run({
    nats,
    tasks = TASKS_FILE,
    name = `${hostname()}-${process.pid}`,
    host,
    port,
    printVersion,
    ...options
  }) {
    const tasksFile = resolve(tasks)
    if (printVersion) return void process.stdout.write(`${versionOf(tasksFile)}\n`)
    const note = (line: string) => process.stderr.write(`${line}\n`)
    const connection = await connectNats(nats, `worker ${name}`)
    const worker = await RemoteWorker.start(connection, { ...options, name, note, tasksFile })
    note(`worker ${name} runs ${worker.version} in ${options.threads} threads`)
    const server = createServer(({ url }, response) => {
      if (url === '/healthz' || (url === '/readyz' && worker.isReady))
        respond(response, 200, 'application/json', '{"status":"ok"}')
      else if (url === '/readyz') refuse(response, 503, 'NOT_READY', 'there is no connection to NATS')
      else refuse(response, 404, 'NOT_FOUND', 'there are /healthz and /readyz')
    })
    const address = await listen(server, host, port)
    const close = async () => {
      await Promise.all([worker.close(), closeServer(server)])
      return {}
    }
    joinStack({ name: 'worker', addresses: { http: address }, close })
  },
})
