import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { startApp } from '../app/app.ts'
import { type AppConfig, appOptions } from '../app/config.ts'
import { faultHeaders } from '../app/server/faults/token.ts'
import type { Closing } from '../app/test-options.fixture.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { createUpstream } from './browser/upstream.ts'

interface SiteOptions extends Omit<Partial<AppConfig>, 'upstream'> {
  readonly upstream?: Server
}

/** A test that holds back an answer of the upstream holds it for less, however busy the machine is. */
const LONG_MS = 600_000

/**
 * Starts the last step's app in this process with the test's upstream, and without logs, telemetry and CPU tasks, which no page shows.
 * It is closed after the test, or the suite.
 */
export async function startSite(t: Closing, { upstream = createUpstream(), ...options }: SiteOptions = {}) {
  const flags = toFlags({
    port: 0,
    adminPort: 0,
    compute: 'inline',
    logging: 'none',
    apm: 'none',
    ordersUrl: await listen(upstream, '127.0.0.1', 0),
    ...{ requestTimeoutMs: LONG_MS, ordersTimeoutMs: LONG_MS, partTimeoutMs: LONG_MS },
    ...options,
  })
  const app = await startApp(parseOptions(appOptions, flags).values)
  t.after(async () => {
    await app.close()
    await closeServer(upstream)
  })
  return {
    url: app.addresses.http as string,
    /** Kills the render thread of a site that is started with faults. */
    async killRenderThread() {
      const url = new URL('/faults/kill-renderer?for=1ms', app.addresses.admin as string)
      assert.equal((await fetch(url, { method: 'POST', headers: faultHeaders() })).status, 200)
    },
  }
}
