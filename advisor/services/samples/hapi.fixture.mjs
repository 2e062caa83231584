import Hapi from '@hapi/hapi'
import Joi from 'joi'

const payload = Joi.object({ name: Joi.string().max(50), lines: Joi.array().items(Joi.number().integer()) })
const server = Hapi.server({ port: process.env.PORT })
server.route({
  method: 'POST',
  path: '/orders',
  options: { validate: { payload } },
  handler: request => ({ ...request.payload, count: request.payload.lines.length }),
})
await server.start()
