import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { namesOf } from '../../app/concerns.ts'
import { lastStep } from '../../app/steps.ts'
import { startStack } from '../../stack/stack.ts'
import type { Fault } from './fault.ts'
import { residentMiB, signedMiB, startRequests } from './loaded-stack.ts'

const CONNECTIONS = 50
const REQUESTS = 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5000)
/**
 * Node.js begins all requests of a read, which are up to 2,000 of these in 64 KiB, and reads on when the client has read their
 * answers. So the memory of a connection is bounded, and their number is `--max-connections`.
 */
const MARGIN_MIB = CONNECTIONS * 16
/** The work for all requests that are begun, while a client waits. */
const LONGEST_MS = 20_000
/** In a shorter run the longest wait is shown but not judged: it depends on the neighbours of the machine. */
const JUDGED_FROM_SECONDS = 10

/** Clients that send requests without reading any answer. */
export const pipeliningFaults: readonly Fault[] = namesOf('framework').map(framework => ({
  name: `${CONNECTIONS} connections pipeline 5,000 requests each and read nothing, framework ${framework}`,
  seconds: 10,
  quickSeconds: 3,
  alone: 'in full',
  async run(_directory, seconds) {
    const composition = { ...lastStep.composition, framework, logging: 'none', apm: 'none' } as const
    const stack = await startStack({ composition })
    const url = `${stack.address('app')}/hello`
    const warmUp = startRequests(url)
    await warmUp.answered(5000)
    await warmUp.stop()
    const beforeMiB = await residentMiB(stack)

    const { port } = new URL(url)
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port)).on('error', () => {}))
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    for (const socket of sockets) socket.pause().write(REQUESTS)
    const waitsMs = await askRepeatedly(url, seconds * 1000)
    const grownMiB = (await residentMiB(stack)) - beforeMiB
    for (const socket of sockets) socket.destroy()
    await stack.stop()

    const longestMs = Math.max(...waitsMs)
    const says = `${waitsMs.length} answers to others in at most ${longestMs.toFixed(0)} ms; memory ${signedMiB(grownMiB)}`
    assert.ok(grownMiB < MARGIN_MIB, says)
    if (seconds >= JUDGED_FROM_SECONDS) assert.ok(longestMs < LONGEST_MS, says)
    return says
  },
}))

/** Asks one request after the other for a time. @returns the times that the answers took, in milliseconds */
async function askRepeatedly(url: string, durationMs: number): Promise<number[]> {
  const waitsMs: number[] = []
  for (const endsAtMs = performance.now() + durationMs; performance.now() < endsAtMs; ) {
    const askedAtMs = performance.now()
    const response = await fetch(url)
    await response.text()
    assert.equal(response.status, 200)
    waitsMs.push(performance.now() - askedAtMs)
    await delay(5)
  }
  return waitsMs
}
