import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/orders/:id', context => context.json({ id: context.req.param('id'), total: 1.5 }))
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
