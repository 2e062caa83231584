import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  DEFAULT_OTLP_URL,
  otlpHeaders,
  otlpUrl,
  readResourceAttributes,
  readSampling,
  withoutCredentials,
  withoutOtel,
} from './otel-environment.ts'

function captureWarnings(t: TestContext): string[] {
  const lines: string[] = []
  t.mock.method(process.stderr, 'write', (line: string) => lines.push(line))
  return lines
}

/** Expects one line on stderr, or none. */
function expectWarning(warnings: readonly string[], expected: RegExp | undefined): void {
  assert.equal(warnings.length, expected ? 1 : 0)
  if (expected) assert.match(warnings[0] as string, expected)
}

describe('the resource', () => {
  const mistake = /^warning: OTEL_RESOURCE_ATTRIBUTES is ".*", and all of it is ignored/
  const cases: readonly [attributes: string | undefined, name: string | undefined, object, RegExp?][] = [
    [undefined, undefined, {}],
    ['', '', {}],
    ['a=1, b=x%2Cy=z ,', undefined, { a: '1', b: 'x,y=z' }],
    ['service.name=one', undefined, { 'service.name': 'one' }],
    ['service.name=one', 'two', { 'service.name': 'two' }],
    ['a=1,b', undefined, {}, mistake],
    ['=1', undefined, {}, mistake],
    ['a=1,b=%zz', undefined, {}, mistake],
  ]
  for (const [OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, expected, warning] of cases)
    test(`of "${OTEL_RESOURCE_ATTRIBUTES}" and "${OTEL_SERVICE_NAME}" is ${JSON.stringify(expected)}`, t => {
      const warnings = captureWarnings(t)
      assert.deepEqual(readResourceAttributes({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME }), expected)
      expectWarning(warnings, warning)
    })
})

describe('the receiver', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318/base/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/as-is',
  }
  for (const [signal, option, variables, expected] of [
    ['traces', undefined, {}, undefined],
    ['metrics', undefined, env, 'http://all:4318/base/v1/metrics'],
    ['traces', undefined, env, 'http://traces/as-is'],
    ['traces', 'http://ours', env, 'http://ours/v1/traces'],
    ['logs', 'http://me:secret@ours/base/?key=1', env, 'http://me:secret@ours/base/v1/logs?key=1'],
    ['logs', DEFAULT_OTLP_URL, {}, 'http://127.0.0.1:4318/v1/logs'],
  ] as const)
    test(`of ${signal} is ${expected} with the option ${option}`, () => {
      assert.equal(otlpUrl(signal, option, variables), expected)
    })

  for (const wrong of ['nonsense:secret', 'ftp://me:secret@all', 'http://'])
    test(`is not taken from "${wrong}", and one line says so without the text`, t => {
      const warnings = captureWarnings(t)
      assert.equal(otlpUrl('logs', undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: wrong }), undefined)
      assert.deepEqual(warnings, [
        'warning: OTEL_EXPORTER_OTLP_ENDPOINT is ignored, because it is no URL such as http://127.0.0.1:4318\n',
      ])
    })

  test('gets the headers of the signal, and the general ones', () => {
    const variables = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20all,x-team=ours',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'nonsense,x-no=%zz,authorization=Bearer%20logs',
    }
    assert.deepEqual(otlpHeaders('traces', variables), { authorization: 'Bearer all', 'x-team': 'ours' })
    assert.deepEqual(otlpHeaders('logs', variables), { authorization: 'Bearer logs', 'x-team': 'ours' })
  })
})

describe('the sampler', () => {
  const cases: readonly [name: string | undefined, string | undefined, boolean, number, RegExp?][] = [
    [undefined, undefined, true, 1],
    ['', '0.5', true, 1],
    ['always_on', '0.5', false, 1],
    ['always_off', undefined, false, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['traceidratio', undefined, false, 1],
    ['parentbased_always_on', undefined, true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['ParentBased_TraceIdRatio', '0.25', true, 0.25],
    ['jaeger_remote', undefined, true, 1, /^warning: OTEL_TRACES_SAMPLER is "jaeger_remote"/],
    ['parentbased_traceidratio', '2', true, 1, /^warning: OTEL_TRACES_SAMPLER_ARG is "2"/],
  ]
  for (const [name, argument, isParentBased, ratio, warning] of cases)
    test(`of "${name}" with "${argument}" has the ratio ${ratio}`, t => {
      const warnings = captureWarnings(t)
      const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }
      assert.deepEqual(readSampling(undefined, env), { isParentBased, ratio })
      expectWarning(warnings, warning)
    })

  test('is that of our option before all variables', () => {
    const env = { OTEL_TRACES_SAMPLER: 'always_off' }
    assert.deepEqual(readSampling(0.1, env), { isParentBased: true, ratio: 0.1 })
  })
})

test('an environment without variables of OpenTelemetry keeps all others', () => {
  assert.deepEqual(withoutOtel({ OTEL_SERVICE_NAME: 'a', HOME: '/b' }), { HOME: '/b' })
})

test('a text shows of its URLs neither user nor password nor query', () => {
  for (const [text, shown] of [
    ['http://me:secret@host:4318/v1/logs answered with 400', 'http://host:4318/v1/logs answered with 400'],
    ['no answer from HTTPS://me@host/?key=secret', 'no answer from https://host/?[redacted]'],
    ['both http://a/ and http://b:p@c/', 'both http://a/ and http://c/'],
    ['http://me:se[cret@/ is wrong', '[redacted] is wrong'],
    ['connect ECONNREFUSED 127.0.0.1:4318', 'connect ECONNREFUSED 127.0.0.1:4318'],
  ] as const)
    assert.equal(withoutCredentials(text), shown)
})
