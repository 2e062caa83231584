import { mock } from 'node:test'
import type { Apm, CreateApm } from '../../app/concerns/apm/contract.ts'

/** Serves requests with an implementation of APM whose intake the test has started. A message ends it. */
const [name, address = '', apmSocket = ''] = process.argv.slice(2)
const { url } = JSON.parse(address)

mock.module('./apm/start-intake.ts', {
  namedExports: {
    startIntake: async () => ({
      address: JSON.parse(address),
      count: async () => ({ spans: 0, failed: 0 }),
      end() {},
    }),
  },
})
const { implementations } = await import('../../app/concerns.ts')
const { resource } = await import('../../app/context.ts')
await import('./register.ts')
const modules: Readonly<
  Record<string, () => Promise<{ createApm: CreateApm<Apm, Record<string, unknown>> }>>
> = implementations.apm as never
const { createApm } = await (modules[name as string] as (typeof modules)[string])()
const apm = await createApm({
  otlpUrl: url,
  ...{ apmSocket, apmMemoryMib: 4, metricIntervalMs: 10_000, resource },
  sampling: { isParentBased: true, ratio: 1 },
})
// The agents instrument what is loaded after them.
const { default: http } = await import('node:http')
const { listen } = await import('../../lib/http/listen.ts')
const server = http.createServer((_request, response) => {
  const span = apm.enterRoute('/hello', response)
  response.end('hello')
  apm.leaveRoute(span)
})
apm.instrument(server)
process.once('message', async () => {
  await apm.close()
  process.exit()
})
process.send?.(await listen(server, '127.0.0.1', 0))
