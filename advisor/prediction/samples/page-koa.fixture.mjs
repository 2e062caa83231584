import Koa from 'koa'
import { run } from './do.fixture.mjs'

const app = new Koa()
app.use(async context => {
  context.type = 'html'
  context.body = await run('renderOrders', 'orders')
})
app.listen(process.env.PORT)
