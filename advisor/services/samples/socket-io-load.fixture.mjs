import { io } from 'socket.io-client'

const DURATION_MS = 2000
for (let connection = 0; connection < 5; connection++) {
  const socket = io(`http://127.0.0.1:${process.env.PORT}`, { transports: ['websocket'] })
  const ask = () => socket.emit('order', { id: connection, name: 'order' }, ask)
  socket.on('connect', ask)
  setTimeout(() => socket.close(), DURATION_MS)
}
