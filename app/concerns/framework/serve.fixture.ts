import { listen } from '../../../lib/http/listen.ts'
import { createCalmService } from '../../../test/calm-service.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import { manageConnections } from '../../server/http-rules.ts'
import type { Closing } from '../../test-options.fixture.ts'

/** Serves routes by a framework, as the app does, until the test ends. */
export async function serve(
  t: Closing,
  framework: Implementation<'framework'>,
  options: Parameters<typeof createCalmService>[0],
) {
  const service = await createCalmService(options)
  const { createHttpServer } = await implementations.framework[framework]()
  const server = await createHttpServer(service)
  manageConnections(server)
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { service, server, url, port: Number(new URL(url).port) }
}
