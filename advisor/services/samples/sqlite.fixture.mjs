import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(':memory:')
database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, total REAL)')
const insert = database.prepare('INSERT INTO orders (name, total) VALUES (?, ?)')
for (let id = 0; id < 500; id++) insert.run(`order ${id}`, id * 1.5)
const select = database.prepare('SELECT * FROM orders WHERE total > ? ORDER BY name LIMIT 20')
createServer((_, response) => response.end(JSON.stringify(select.all(300)))).listen(process.env.PORT)
