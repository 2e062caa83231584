const express = require('express')

const app = express()
const orders = Array.from({ length: 40 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
app.get('/orders', (_, response) => response.json(orders))
app.listen(Number(process.env.PORT))
