import { WebSocket } from 'ws'

const DURATION_MS = 2000
for (let connection = 0; connection < 5; connection++) {
  const socket = new WebSocket(`ws://127.0.0.1:${process.env.PORT}`)
  const ask = () => socket.send(JSON.stringify({ id: connection, name: 'order' }))
  socket.on('open', ask).on('message', ask)
  setTimeout(() => socket.terminate(), DURATION_MS)
}
