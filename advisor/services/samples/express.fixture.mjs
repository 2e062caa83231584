import express from 'express'
import jwt from 'jsonwebtoken'
import { pinoHttp } from 'pino-http'
import { z } from 'zod'

const query = z.object({ page: z.coerce.number().int().min(0), size: z.coerce.number().int().max(100) })
const orders = Array.from({ length: 500 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
const token = jwt.sign({ sub: 'reader' }, 'secret')

const app = express()
app.use(pinoHttp())
app.get('/orders', (request, response) => {
  const { sub } = jwt.verify(token, 'secret')
  const { page, size } = query.parse(request.query)
  request.log.info({ sub, page }, 'orders')
  response.json(orders.slice(page * size, (page + 1) * size))
})
app.listen(process.env.PORT)
