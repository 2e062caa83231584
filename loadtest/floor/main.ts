import { createServer } from 'node:http'
import { readUsage } from '../../app/server/usage.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { choice, toggle } from '../../lib/cli/options.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import { respond } from '../../lib/http/respond.ts'
import { joinStack } from '../../lib/processes/join-stack.ts'
import { poolOptions } from '../../workers/options.ts'
import { scenarios } from '../generator/scenarios.ts'
import { startHop } from './hop.ts'
import { floorScenarios } from './rows.ts'
import { createFloorServer, createHopServer, makeAnswers, readyPage } from './server.ts'

const HOST = '127.0.0.1'
const childUsage = async () => ({ cpuMicros: 0, residentBytes: 0 })

await runCommand({
  usage: 'node loadtest/floor/main.ts [options]',
  description:
    'The floor: sends the answers of a scenario from bare node:http, with no work on the main thread.',
  options: {
    scenario: choice({ choices: floorScenarios, default: 'demo', help: 'whose answers are sent' }),
    hop: toggle({ help: 'let a worker thread make each body; without it, all are made before' }),
    threads: poolOptions.threads,
    workerPriority: poolOptions.workerPriority,
  },
  async run({ scenario, hop: hasHop, threads, workerPriority }) {
    const answers = makeAnswers(scenarios[scenario], scenario === 'page' ? readyPage : undefined)
    const hop = hasHop ? startHop(threads, { scenario, priority: workerPriority }) : null
    const server = hop ? createHopServer(answers, hop.queue) : createFloorServer(answers)
    const admin = createServer(async (_request, response) =>
      respond(response, 200, 'application/json', JSON.stringify(await readUsage({ childUsage }))),
    )
    const addresses = { http: await listen(server, HOST, 0), admin: await listen(admin, HOST, 0) }
    joinStack({
      name: 'floor',
      addresses,
      async close() {
        // Requests that are still served need the threads.
        await Promise.all([closeServer(server), closeServer(admin)])
        await hop?.close()
        return {}
      },
    })
  },
})
