import { createServer } from 'node:http'
import { run } from './do.fixture.mjs'

createServer(async (_, response) =>
  response.end(String(await run('score', { seed: 7, turns: 200_000 }))),
).listen(process.env.PORT)
