import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { namesOf } from '../../../app/concerns.ts'
import { patience } from '../../../app/test-options.fixture.ts'
import { applyChunks } from '../../../lib/apply-chunks.ts'
import { securityHeaders } from '../../../lib/http/respond.ts'
import { expectedDemo } from '../../../loadtest/generator/expected.ts'
import { withoutNonce } from '../../../loadtest/generator/expected-page.ts'
import { lightest, type Stack, startStack } from '../../stack-parts.ts'
import { startLoggingStack } from '../loaded-stack.ts'
import { type Answer, ask, describe, readAll } from './answers.ts'
import { Draw } from './draw.ts'
import { drawRequest, parameterNames, type Request, servicePaths } from './requests.ts'

const BATCH = 50
/** On a busy machine one framework would refuse what another serves. */
const neverRefusing = { ...patience, maxWaitMs: patience.requestTimeoutMs }
/** Codes of answers from 500 on that upstream or overload causes. Other such answers are bugs. */
const INTENDED = new Set([502, 503, 504])

/** Sends the same requests to every framework. The answers must be the same. @returns the number of requests */
export async function compareFrameworks(_directory: string, inputs: number, seed: number): Promise<number> {
  const stacks: Stack[] = []
  try {
    for (const framework of namesOf('framework'))
      stacks.push(await startStack({ composition: { ...lightest, framework }, app: neverRefusing }))
    const urls = stacks.map(stack => stack.address('app'))
    const draw = drawerOf(seed)
    let sent = 0
    for (; sent < inputs; sent += BATCH * urls.length) {
      const requests = Array.from({ length: BATCH }, draw)
      await Promise.all(
        requests.map(async request => {
          const answers = await Promise.all(urls.map(url => ask(url, request)))
          for (const answer of answers) checkAnswer(request, answer)
          // On a busy machine the upstream may fail one of them.
          if (answers.some(({ status }) => INTENDED.has(status))) return
          const [first, ...others] = answers.map(essence)
          for (const other of others) assert.deepEqual(other, first, describe(request))
        }),
      )
    }
    for (const url of urls) await stillServes(url)
    return sent
  } finally {
    for (const stack of stacks) await stack.stop()
  }
}

/** Sends requests with some bytes changed to the last step and its sidecars. @returns the number of requests */
export async function sendMalformed(directory: string, inputs: number, seed: number): Promise<number> {
  const stack = await startLoggingStack(directory)
  try {
    const url = stack.address('app')
    const port = Number(new URL(url).port)
    const random = new Draw(seed)
    const draw = drawerOf(seed)
    let sent = 0
    for (; sent < inputs; sent += BATCH) {
      const batch = Array.from({ length: BATCH }, () => random.mutate(draw().bytes))
      await Promise.all(
        batch.map(async bytes => {
          const answer = (await readAll(connect(port, '127.0.0.1').end(bytes))).toString('latin1')
          const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0)
          const said = JSON.stringify(bytes.toString('latin1'))
          assert.ok(status < 500 || INTENDED.has(status), `${status} to ${said}`)
        }),
      )
    }
    await stillServes(url)
    for (const { name, restarts } of stack.processes) assert.equal(restarts, 0, `${name} died`)
    return sent
  } finally {
    await stack.stop()
  }
}

/** Draws requests for all routes and parameters. */
function drawerOf(seed: number): () => Request {
  const draw = new Draw(seed)
  return () => drawRequest(draw, servicePaths, parameterNames)
}

function checkAnswer(request: Request, { status, headers, body }: Answer): void {
  assert.ok(status < 500 || INTENDED.has(status), `${status} to ${describe(request)}`)
  if (request.isMalformed) assert.equal(status, 400, describe(request))
  for (const name of Object.keys(securityHeaders))
    assert.ok(headers.has(name), `no ${name} to ${describe(request)}`)
  assert.equal(headers.get('set-cookie'), undefined, describe(request))
  if (status >= 400 && body.length > 0) assert.equal(JSON.parse(body).status, status)
}

/** The parts of an answer that clients use. Pages have a nonce each, and their parts may come late. */
const essence = ({ status, headers, body }: Answer) => ({
  status,
  type: headers.get('content-type'),
  allow: headers.get('allow'),
  body: body.includes(' nonce="') ? withoutNonce(body, applyChunks) : body,
})

async function stillServes(url: string): Promise<void> {
  const response = await fetch(`${url}/demo?seed=7`)
  assert.equal(await response.text(), expectedDemo(7))
}
