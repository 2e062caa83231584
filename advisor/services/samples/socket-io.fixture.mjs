import { Server } from 'socket.io'

new Server(Number(process.env.PORT)).on('connection', socket => {
  socket.on('order', (order, answer) => answer({ ...order, total: 1.5 }))
})
