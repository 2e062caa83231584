import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Attributes, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { recordKinds } from '../protocol.ts'
import { runInstrumented } from './instrumented.fixture.ts'
import { createTestTracer } from './own-spans.fixture.ts'

/** More spans than can be open at once. */
const MANY = 16_385

const circle: Record<string, unknown> = {}
circle.self = circle
const deep = JSON.parse(`${'['.repeat(1e5)}${']'.repeat(1e5)}`)
const throwing = {
  get id() {
    throw new Error('no')
  },
}
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const odd: Readonly<Record<string, unknown>> = {
  'a BigInt': 1n,
  'a BigInt inside': { id: 1n },
  'a circle': circle,
  'a list that is nested deeply': deep,
  'a getter that throws': throwing,
  'a proxy that is over': revoked.proxy,
  'a toJSON that throws': { toJSON: () => throwing.id },
  'a promise': Promise.resolve(1),
  'a date that is none': new Date(Number.NaN),
  'a symbol': Symbol('s'),
  'a function': () => {},
  bytes: new Uint8Array(2),
  'no number': Number.NaN,
  nothing: undefined,
  'a long text': 'x'.repeat(257),
  'a long list': Array.from({ length: 1e6 }, (_, index) => index),
  'a list without items': new Array(4e9),
}

describe('a span of own code', () => {
  test('ends without what is no attribute, and with the others', () => {
    const { tracer, recorded } = createTestTracer()
    for (const [what, value] of Object.entries(odd)) {
      const span = tracer.startSpan(what, { attributes: { odd: value, first: 1 } as Attributes })
      span.setAttribute('odd', value as string).setAttributes({ odd: value, second: [2, null] } as Attributes)
      span.end()
      assert.deepEqual(recorded()[0]?.attributes, { first: 1, second: [2, null] }, what)
    }
  })

  test('leaves its place to others, whatever its attributes were', () => {
    const { tracer, dropped } = createTestTracer()
    for (let count = 0; count < MANY; count++)
      tracer.startSpan('load', { attributes: { id: 1n as never } }).end()
    assert.equal(tracer.startSpan('good').isRecording(), true)
    assert.equal(dropped(), 0)
  })

  test('leaves room for requests, also if the service ends none', () => {
    const { tracer, writer, dropped } = createTestTracer()
    const spans = Array.from({ length: MANY }, () => tracer.startSpan('forgotten'))
    assert.ok(dropped() > 0 && !spans.at(-1)?.isRecording())
    assert.notEqual(writer.spans.openRoot(recordKinds.server, undefined), 0)
    spans[0]?.end()
    assert.equal(tracer.startSpan('good').isRecording(), true)
  })

  test('may have attributes with any name', () => {
    const { tracer, recorded } = createTestTracer()
    const span = tracer.startSpan('load')
    for (const name of ['__proto__', 'constructor', '', Symbol('s'), undefined, 7])
      span.setAttribute(name as string, 'value')
    span
      .setAttributes(throwing as Attributes)
      .setAttributes(revoked.proxy as Attributes)
      .setAttributes(null as never)
    span.end()
    assert.deepEqual(Object.entries(recorded()[0]?.attributes ?? {}), [
      ['__proto__', 'value'],
      ['constructor', 'value'],
    ])
  })

  test('has the values of its attributes at the time when they were set', () => {
    const { tracer, recorded } = createTestTracer()
    const list = [1]
    const span = tracer.startSpan('load').setAttribute('list', list)
    list.push(2)
    span.end()
    assert.deepEqual(recorded()[0]?.attributes, { list: [1] })
  })

  test('may be started, failed and ended with arguments of any kind', () => {
    const { tracer, strings, recorded } = createTestTracer()
    const values = Object.values(odd).filter(value => value !== revoked.proxy)
    for (const value of [...values, null]) {
      const span = tracer.startSpan(value as string, value as never, ROOT_CONTEXT)
      span.recordException(value as never)
      span.setStatus(value as never).setStatus({ code: SpanStatusCode.ERROR })
      span.end(value as never)
      assert.equal(
        tracer.startActiveSpan(value as string, value as never, () => 7),
        7,
      )
    }
    const context = {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1n,
    }
    for (const traceId of [1n, null, {}, 'x', context.traceId]) {
      const parent = trace.wrapSpanContext({ ...context, traceId } as never)
      const span = tracer.startSpan('load', {}, trace.setSpan(ROOT_CONTEXT, parent))
      assert.equal(span.spanContext().traceId === context.traceId, traceId === context.traceId)
    }
    assert.equal(recorded().length, values.length + 1)
    for (const text of strings.from(0)) assert.equal(typeof text, 'string')
  })
})

const SPAN = "trace.getTracer('shop').startSpan"
/** The process is connected to apm-agent after its first turn. */
const CONNECT = `import { setImmediate as turn } from 'node:timers/promises'
  await turn()
  await turn()`
const ends: Readonly<Record<string, readonly [code: string, names: readonly string[]]>> = {
  'having nothing left to do': ['', ['first']],
  'process.exit()': ['process.exit()', ['first']],
  'an error that nobody catches': ["throw new Error('bug')", ['first']],
  'process.exit() with listeners that end spans': [
    `process.on('exit', () => ${SPAN}('second').end()); process.on('exit', () => ${SPAN}('third').end()); process.exit()`,
    ['first', 'second', 'third'],
  ],
  'listeners that end spans, later': [
    `setTimeout(() => process.on('exit', () => { ${SPAN}('second').end(); ${SPAN}('third').end() }), 20)`,
    ['first', 'second', 'third'],
  ],
}
for (const [end, [code, names]] of Object.entries(ends))
  test(`spans of a process are not lost when it ends by ${end}`, async t => {
    const program = `import { trace } from '@opentelemetry/api'; ${CONNECT}; ${SPAN}('first').end(); ${code}`
    const { spans } = await runInstrumented(t, program)
    assert.deepEqual(
      spans.map(({ name }) => name),
      names,
    )
  })
