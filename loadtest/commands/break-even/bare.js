// A thread or a process that does nothing but say that it is up, with what Node.js itself brings. JavaScript, for what
// strips types takes time and memory.
import { parentPort } from 'node:worker_threads'

const port = parentPort ?? process
port.on('message', () => {})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; whoever started this one ends it.
if (!parentPort) process.on('SIGINT', () => {})
if (parentPort) parentPort.postMessage('up')
else process.send?.('up')
