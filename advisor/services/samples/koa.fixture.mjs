import ejs from 'ejs'
import Koa from 'koa'
import winston from 'winston'

const logger = winston.createLogger({ transports: [new winston.transports.Console()] })
const orders = Array.from({ length: 50 }, (_, id) => ({ id, name: `order <${id}>`, total: id * 1.5 }))
const render = ejs.compile(
  '<table><% for (const order of orders) { %><tr><td><%= order.name %></td><td><%= order.total %></td></tr><% } %></table>',
)

new Koa()
  .use(async (context, next) => {
    await next()
    logger.info(context.path, { status: context.status })
  })
  .use(context => {
    context.body = render({ orders })
  })
  .listen(process.env.PORT)
