// A thread or a process that does nothing but answer, with what Node.js itself brings. JavaScript, for what strips
// types takes time and memory.
import { parentPort } from 'node:worker_threads'

const port = parentPort ?? process
const send = message => (parentPort ? parentPort.postMessage(message) : process.send?.(message))

port.on('message', send)
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; whoever started this one ends it.
if (!parentPort) process.on('SIGINT', () => {})
send('up')
