import { createServer } from 'node:net'
import { Aedes } from 'aedes'

createServer((await Aedes.createBroker()).handle).listen(process.env.PORT)
