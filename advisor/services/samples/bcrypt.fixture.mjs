import { createServer } from 'node:http'
import bcrypt from 'bcryptjs'

const hash = bcrypt.hashSync('secret', 4)
createServer((_, response) => response.end(String(bcrypt.compareSync('secret', hash)))).listen(
  process.env.PORT,
)
