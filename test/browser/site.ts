import { startApp } from '../../app/app.ts'
import { appOptions } from '../../app/config.ts'
import { parseOptions, toFlags } from '../../lib/cli/command-line.ts'
import { closeServer } from '../../lib/http/close-server.ts'
import { listen } from '../../lib/http/listen.ts'
import { patience } from '../patience.ts'
import { createUpstream } from './upstream.ts'

export interface Site {
  readonly url: string
  close(): Promise<void>
}

interface SiteOptions {
  readonly rendering?: 'string' | 'stream' | 'threads'
  readonly serialization?: 'compiled' | 'protobuf'
  readonly upstream?: ReturnType<typeof createUpstream>
}

/** Starts the last step's app with the test's upstream, and without logs, telemetry and CPU tasks, which no page shows. */
export async function startSite({
  upstream = createUpstream(),
  ...composition
}: SiteOptions = {}): Promise<Site> {
  const flags = toFlags({
    port: 0,
    adminPort: 0,
    compute: 'inline',
    logging: 'none',
    apm: 'none',
    ordersUrl: await listen(upstream, '127.0.0.1', 0),
    ...patience,
    ...composition,
  })
  const app = await startApp(parseOptions(appOptions, flags).values)
  return {
    url: app.addresses.http as string,
    async close() {
      await app.close()
      await closeServer(upstream)
    },
  }
}
