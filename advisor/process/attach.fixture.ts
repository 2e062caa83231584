import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

export const options = { skip: process.platform !== 'linux' && 'processes are watched on Linux only' }

/**
 * A program that prints, on each line that it gets, what watching could have left: wrappers of JSON, listeners of the
 * requests' channel, and requests that it has counted itself.
 */
export const PROGRAM = `
const { channel } = require('node:diagnostics_channel')
const [parse, stringify] = [JSON.parse, JSON.stringify]
const { Worker } = require('node:worker_threads')
new Worker('setInterval(() => {}, 1000)', { eval: true }).on('online', () => console.log('ready'))
process.stdin.on('data', () => console.log(stringify({
  isUnwrapped: JSON.parse === parse && JSON.stringify === stringify,
  hasSubscribers: channel('http.server.request.start').hasSubscribers,
})))
`

export const startProgram = (t: TestContext, flags: readonly string[] = []): Promise<ChildProcess> =>
  startNode(t, [...flags, '--eval', PROGRAM])

/** Starts a program and waits for its first line. @param directory where it runs, by default here */
export async function startNode(
  t: TestContext,
  args: readonly string[],
  directory?: string,
  node = process.execPath,
): Promise<ChildProcess> {
  const child = spawn(node, ['--inspect-port=0', ...args], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return child
}

/** Sends a line to a program. @returns the value in its answer, a line of JSON */
export async function askProgram<T>(child: ChildProcess): Promise<T> {
  child.stdin?.write('?\n')
  const [answer] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return JSON.parse(String(answer))
}

/** A signal that never aborts. */
export const never = () => new AbortController().signal
