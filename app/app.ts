import { guardServer } from '../lib/http/guard.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { Addresses, Counts } from '../lib/processes/protocol.ts'
import { createAdminRoutes, createAdminServer } from './admin.ts'
import type { AppConfig } from './config.ts'
import { createConcerns } from './create-concerns.ts'
import { manageConnections } from './http-rules.ts'
import { createAssetRoutes } from './pages/assets.ts'
import { createPageHandler } from './pages/page-handler.ts'
import { threadCpuTime } from './pool.ts'
import { createRoutes } from './routes.ts'
import { startOperation } from './server/operation.ts'
import { AppService } from './service.ts'

export interface App {
  /** The public server is `http`; the server for operators is `admin`. */
  readonly addresses: Addresses
  /** Finishes the requests in flight, flushes logs and telemetry, and releases all resources. */
  close(): Promise<Counts>
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
  apm.watch(async () => [readMainThread()])
  const readCounts = () => ({ logLines: logging.counts(), ...apm.counts() })

  const page = createPageHandler({ ...config, rendering, apm, logger })
  const routes = [...createRoutes({ ...concerns, page })]
  const operation = await startOperation(config, concerns, readCounts, routes)
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
  operation.listening(addresses)

  async function close(): Promise<Counts> {
    await operation.stopping()
    connections.closeAfterAnswers()
    await closeServer(server, {
      drainMs: drainTimeoutMs,
      ...operation.handover,
    })
    // A client that has gone has closed its connection, but its route may still run, write log lines and be traced.
    await Promise.race([service.idle(), runningDelay(drainTimeoutMs)])
    operation.close()
    await Promise.all([closeServer(admin), concerns.close()])
    return readCounts()
  }
  return { addresses, close }
}

/** The CPU time of the thread that serves requests. `process.threadCpuUsage` reads the thread that calls it. */
function readMainThread() {
  const { user, system } = process.threadCpuUsage()
  return threadCpuTime('main', user + system)
}
