import express from 'express'
import { run } from './do.fixture.mjs'

const app = express()
app.get('/', async (_, response) => response.json({ hash: await run('hashPassword', 'secret') }))
app.listen(process.env.PORT)
