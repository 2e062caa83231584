const fastify = require('fastify')

const app = fastify()
app.get('/orders/:id', async ({ params }) => ({ id: params.id, list: [1, 2, 3] }))
app.listen({ port: Number(process.env.PORT) })
