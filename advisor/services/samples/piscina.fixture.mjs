import { createServer } from 'node:http'
import { Piscina } from 'piscina'

const pool = new Piscina({
  filename: new URL('piscina-task.fixture.mjs', import.meta.url).href,
  maxThreads: 1,
})
createServer(async (_, response) => response.end(String(await pool.run(20, { name: 'fibonacci' })))).listen(
  process.env.PORT,
)
