import { invoiceOf } from '../invoice.js'
import { orderOf } from '../orders.js'

const schema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
}

export async function invoice(app) {
  app.get('/orders/:id/invoice', { schema }, async ({ params, log }, reply) => {
    const pdf = await invoiceOf(orderOf(params.id))
    log.info({ order: params.id, bytes: pdf.length }, 'invoice made')
    reply.type('application/pdf')
    return Buffer.from(pdf)
  })
}
