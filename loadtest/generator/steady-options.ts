import { integer, url } from '../../lib/cli/options.ts'
import { stackOptions } from '../../stack/options.ts'

export const connections = integer({
  min: 1,
  max: 1000,
  default: '50',
  help: 'clients; each sends its next request once its last is answered',
})

export const scenario = { ...stackOptions.scenario, help: 'what the load asks for' }

export const steadyOptions = {
  url: url({ default: 'http://127.0.0.1:3000', help: 'base URL of the app' }),
  connections,
  scenario,
  liveUrl: url({ help: "base URL of apm-agent, to which the clients' latencies are reported" }),
} as const
