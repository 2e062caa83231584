import { createAgent, require } from './agent.ts'

/** The agent of Datadog. It has no function that delivers what it has, so its exporter is asked. */
export const createApm = createAgent('datadog', ({ url }) => {
  const tracer = require('dd-trace').init({ service: 'app', url, startupLogs: false })
  return {
    nameRoute: path => tracer.scope().active()?.setTag('resource.name', `GET ${path}`),
    flush: () => new Promise<void>(resolve => tracer._tracer._exporter.flush(resolve)),
  }
})
