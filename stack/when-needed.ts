import { createServer } from 'node:http'
import { join } from 'node:path'
import { agentOptions } from '../apm-agent/options.ts'
import { isNeeded } from '../app/concerns.ts'
import { composeFrom, compositionOptions } from '../app/server/options.ts'
import { runCommand } from '../lib/cli/command.ts'
import { parseOptions } from '../lib/cli/command-line.ts'
import { integer } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { transportOptions } from '../logger-transport/options.ts'
import { nodeFlagsOf } from './permissions.ts'

/** The sidecars, each with the concern that it takes off the app. */
const concernOf = { 'logger-transport': 'logging', 'apm-agent': 'apm' } as const
type Sidecar = keyof typeof concernOf
const optionsOf = { 'logger-transport': transportOptions, 'apm-agent': agentOptions } as const
const sidecars = Object.keys(concernOf) as Sidecar[]

await runCommand({
  usage: `node stack/when-needed.ts ${sidecars.join(' | ')} [options]`,
  description: `For containers: if the composition needs the named sidecar, this process becomes it; otherwise it only answers
/healthz. The options of the sidecar are environment variables.`,
  options: {
    ...compositionOptions,
    host: agentOptions.host,
    port: integer({ min: 0, max: 65535, default: '0', help: 'port to listen on; 0 takes a free one' }),
  },
  takesWords: true,
  async run({ host, port, ...chosen }, [word]) {
    const name = sidecars.find(each => each === word)
    if (!name) throw new UserError(`${sidecars.join(' or ')} is expected, received ${JSON.stringify(word)}`)
    const composition = composeFrom(chosen)
    if (isNeeded(name, composition)) return becomeSidecar(name)
    const concern = concernOf[name]
    await idle(name, `${concern} by ${composition[concern]} does not need it`, host, port)
  },
})

/** Replaces this process by the sidecar, so that signals and resource usage are those of the sidecar itself. */
function becomeSidecar(name: Sidecar): void {
  const file = join(import.meta.dirname, '..', name, 'main.ts')
  if (!process.execve) throw new UserError('this system cannot replace a process')
  const { values } = parseOptions(optionsOf[name], [], process.env)
  const flags = [...process.execArgv, ...nodeFlagsOf(name, values)]
  process.execve(process.execPath, [process.execPath, ...flags, file])
}

/** Answers `/healthz`, so that containers that wait for this one start. Any other request gets 503. */
async function idle(name: Sidecar, reason: string, host: string, port: number): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') respond(response, 200, 'application/json', '{"status":"idle"}')
    else refuse(response, 503, 'IDLE', `${name} is idle: ${reason}`)
  })
  await listen(server, host, port)
  process.stderr.write(`${name} is idle: ${reason}\n`)
  const close = async () => {
    await closeServer(server)
    return {}
  }
  joinStack({ name, addresses: {}, close })
}
