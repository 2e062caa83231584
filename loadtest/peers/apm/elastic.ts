import { createAgent, require } from './agent.ts'

/** The agent of Elastic. */
export const createApm = createAgent('elastic', ({ url }) => {
  const agent = require('elastic-apm-node').start({ serviceName: 'app', serverUrl: url, logLevel: 'error' })
  return { nameRoute: path => agent.setTransactionName(`GET ${path}`), flush: () => agent.flush() }
})
