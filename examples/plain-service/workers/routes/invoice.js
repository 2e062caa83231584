import { createTaskPool } from '@main-thread/workers'
import { orderOf } from '../orders.js'

const schema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
}

export async function invoice(app) {
  const pool = await createTaskPool({ tasks: new URL('../invoice.js', import.meta.url) })
  app.addHook('onClose', () => pool.close())
  app.get('/orders/:id/invoice', { schema }, async ({ params, log }, reply) => {
    const pdf = await pool.run('invoiceOf', orderOf(params.id), { signal: AbortSignal.timeout(5000) })
    log.info({ order: params.id, bytes: pdf.length }, 'invoice made')
    reply.type('application/pdf')
    return Buffer.from(pdf)
  })
}
