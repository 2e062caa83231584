import express from 'express'
import winston from 'winston'

/** Ten lines for each request. Its command says what stdout is. */
const { SEGMENTS: directory } = process.env
const { combine, json, timestamp } = winston.format
const ours = async () => (await import('@main-thread/logger-transport/winston')).segments({ directory })
const transport = directory ? await ours() : new winston.transports.Console()
const log = winston.createLogger({ format: combine(timestamp(), json()), transports: [transport] })

const app = express()
app.get('/', (request, response) => {
  for (let step = 0; step < 10; step++)
    log.info('step done', { step, url: request.url, user: { id: step, name: 'someone' } })
  response.json({ hello: 'world' })
})
app.listen(process.env.PORT)
