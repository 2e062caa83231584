import { WebSocketServer } from 'ws'

new WebSocketServer({ port: Number(process.env.PORT) }).on('connection', socket => {
  socket.on('message', text => socket.send(JSON.stringify({ ...JSON.parse(text), total: 1.5 })))
})
