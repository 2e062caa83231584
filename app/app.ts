import { guardServer } from '../lib/http/guard.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import type { Addresses } from '../lib/processes/protocol.ts'
import { createAdminRoutes, createAdminServer } from './admin.ts'
import type { AppConfig } from './config.ts'
import { createConcerns } from './create-concerns.ts'
import { createAssetRoutes } from './pages/assets.ts'
import { createPageHandler } from './pages/page-handler.ts'
import { createRoutes } from './routes.ts'
import { manageConnections } from './server/http-rules.ts'
import { startOperation } from './server/operation.ts'
import { PageHooks } from './server/page-hooks.ts'
import { AppService } from './service.ts'

export interface App {
  /** The public server is `http`; the server for operators is `admin`. */
  readonly addresses: Addresses
  /** Finishes the requests in flight, flushes logs and telemetry, and releases all resources. */
  close(): Promise<unknown>
}

/**
 * Assembles the concerns, and listens.
 * @throws UserError when a port is taken or the log file cannot be written
 */
export async function startApp(config: AppConfig): Promise<App> {
  const { host, port, adminPort, drainTimeoutMs, requestTimeoutMs } = config
  const concerns = await createConcerns(config)
  const { apm, logging, rendering } = concerns
  const { logger } = logging

  const page = createPageHandler({
    ...config,
    rendering,
    apm,
    logger,
    hooks: new PageHooks(apm, config),
  })
  const routes = [...createRoutes({ ...concerns, page })]
  const operation = startOperation(config, concerns, routes)
  const service = new AppService({
    routes: [...routes, ...createAssetRoutes()],
    apm,
    logger,
    requestTimeoutMs,
    hooks: operation.hooks,
  })
  const server = await concerns.createHttpServer(service)
  const connections = manageConnections(server)
  apm.instrument(server)
  operation.protect(server)
  const adminRoutes = createAdminRoutes()
  operation.addAdminRoutes(adminRoutes)
  const admin = createAdminServer(adminRoutes)
  guardServer(admin)
  const addresses = {
    http: await listen(server, host, port, {
      ...operation.sharing,
    }),
    admin: await listen(admin, '127.0.0.1', adminPort, { flag: '--admin-port', exclusive: true }),
  }

  async function close() {
    await operation.stopping()
    connections.closeAfterAnswers()
    await closeServer(server, {
      drainMs: drainTimeoutMs,
      ...operation.handover,
    })
    await operation.close(service.running)
    await Promise.all([closeServer(admin), concerns.close()])
    return operation.readCounts()
  }
  return { addresses, close }
}
