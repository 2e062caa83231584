import { mkdirSync } from 'node:fs'
import fastify from 'fastify'
import { createLogger } from './logger.js'
import { invoice } from './routes/invoice.js'
import { order } from './routes/order.js'
import { page } from './routes/page.js'

/** Assembles the service. `app.inject` answers requests without a port. */
export async function buildApp({ logDir = 'logs' } = {}) {
  mkdirSync(logDir, { recursive: true, mode: 0o700 })
  const app = fastify({ loggerInstance: createLogger(logDir) })
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ ok: true }))
  await app.register(order)
  await app.register(page)
  await app.register(invoice)
  return app
}
