import assert from 'node:assert/strict'
import { readFile } from 'node:fs'
import { createServer, get } from 'node:http'
import { type Profiler, Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { startedBy } from './started-by.ts'

/** A time that several samples of a profile hit. */
function burn(): void {
  for (const endsAtMs = performance.now() + 50; performance.now() < endsAtMs; );
}

/** Starts a turn that calls `done` at its end; by its function, and by what it is told to have begun it. */
const begin: Readonly<Record<string, readonly [told: string, start: (done: () => void) => void]>> = {
  byTimer: [
    'a timer',
    done =>
      void setTimeout(function byTimer() {
        burn()
        done()
      }, 1),
  ],
  byImmediate: [
    'setImmediate',
    done =>
      void setImmediate(function byImmediate() {
        burn()
        done()
      }),
  ],
  byPromise: [
    'a promise',
    done =>
      void Promise.resolve().then(function byPromise() {
        burn()
        done()
      }),
  ],
  byTick: [
    'process.nextTick',
    done =>
      void process.nextTick(function byTick() {
        burn()
        done()
      }),
  ],
  byFile: [
    'work of the thread pool',
    done =>
      readFile(import.meta.filename, function byFile() {
        burn()
        done()
      }),
  ],
  byThread: [
    'a message of a thread',
    done => {
      const code = "require('node:worker_threads').parentPort.postMessage(1)"
      new Worker(code, { eval: true }).once('message', function byThread() {
        burn()
        done()
      })
    },
  ],
  byRequest: [
    'an HTTP request',
    done => {
      const server = createServer(function byRequest(_, response) {
        burn()
        response.end()
        server.close()
        done()
      })
      server.listen(0, '127.0.0.1', () => ask(server.address() as AddressInfo, () => {}))
    },
  ],
  byAnswer: [
    'the answer to an HTTP call',
    done => {
      const server = createServer((_, response) => void response.end())
      function byAnswer() {
        burn()
        server.close()
        done()
      }
      server.listen(0, '127.0.0.1', () => ask(server.address() as AddressInfo, byAnswer))
    },
  ],
}

function ask({ port }: AddressInfo, onAnswer: () => void) {
  get({ port, agent: false }, answer => {
    answer.resume()
    onAnswer()
  })
}

/** The stacks of a function in a profile, the outermost function first. */
function stacksOf({ nodes }: Profiler.Profile, functionName: string) {
  const callers = new Map(nodes.flatMap(node => (node.children ?? []).map(child => [child, node] as const)))
  return nodes
    .filter(({ callFrame }) => callFrame.functionName === functionName)
    .map(node => {
      const stack = [node.callFrame]
      for (let caller = callers.get(node.id); caller; caller = callers.get(caller.id))
        stack.unshift(caller.callFrame)
      return stack.slice(1)
    })
}

test('each turn is told by what begins it', async t => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  await session.post('Profiler.enable')
  // V8 loses names of functions between two profiles, so there is one.
  await session.post('Profiler.start')
  for (const [, start] of Object.values(begin)) await new Promise<void>(start)
  const { profile } = await session.post('Profiler.stop')
  const told = Object.keys(begin).map(name => [...new Set(stacksOf(profile, name).map(startedBy))].join())
  assert.deepEqual(
    told,
    Object.values(begin).map(([expected]) => expected),
  )
})
