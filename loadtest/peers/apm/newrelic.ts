import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAgent, require } from './agent.ts'

/** The agent of New Relic. By its default it keeps 10,000 transactions a minute, and the spans of ten. */
export const createApm = createAgent('newrelic', ({ url, certificate = '' }) => {
  setDefaultCACertificates([...getCACertificates(), certificate])
  const { hostname, port } = new URL(url)
  Object.assign(process.env, {
    NEW_RELIC_NO_CONFIG_FILE: 'true',
    NEW_RELIC_APP_NAME: 'app',
    NEW_RELIC_LICENSE_KEY: 'a'.repeat(40),
    NEW_RELIC_HOST: hostname,
    NEW_RELIC_PORT: port,
    NEW_RELIC_LOG_ENABLED: 'false',
    // It would ask the network of each cloud whether it is there.
    ...Object.fromEntries(CLOUDS.map(cloud => [`NEW_RELIC_UTILIZATION_DETECT_${cloud}`, 'false'])),
  })
  const agent = require('newrelic')
  return {
    nameRoute: path => agent.setTransactionName(path),
    flush: () => new Promise(resolve => agent.shutdown({ collectPendingData: true, timeout: 3000 }, resolve)),
  }
})

const CLOUDS = ['AWS', 'AZURE', 'AZUREFUNCTION', 'GCP', 'PCF', 'DOCKER', 'KUBERNETES']
