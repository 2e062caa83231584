import { createServer } from 'node:http'
import sharp from 'sharp'

const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
createServer(async (_, response) => {
  response.setHeader('content-type', 'image/webp')
  response.end(await sharp(image).resize(16).webp().toBuffer())
}).listen(process.env.PORT)
