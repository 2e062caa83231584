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

describe('the resource', () => {
  for (const [given, expected] of [
    [{}, {}],
    [{ OTEL_RESOURCE_ATTRIBUTES: '' }, {}],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'a=1, b=x%2Cy=z ,' }, { a: '1', b: 'x,y=z' }],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=one' }, { 'service.name': 'one' }],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=one', OTEL_SERVICE_NAME: 'two' }, { 'service.name': 'two' }],
    [{ OTEL_SERVICE_NAME: '' }, {}],
  ] as const)
    test(`of ${JSON.stringify(given)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readResourceAttributes(given), expected)
    })

  for (const given of ['a=1,b', '=1', 'a=1,b=%zz'])
    test(`is not taken from "${given}", which has a mistake, and one line says so`, t => {
      const warnings = captureWarnings(t)
      assert.deepEqual(readResourceAttributes({ OTEL_RESOURCE_ATTRIBUTES: given }), {})
      assert.equal(warnings.length, 1)
      assert.match(
        warnings[0] as string,
        /^warning: OTEL_RESOURCE_ATTRIBUTES is ".*", and all of it is ignored/,
      )
    })
})

describe('the receiver', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318/base/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/as-is',
  }
  for (const [what, signal, option, variables, expected] of [
    ['nobody without option and variables', 'traces', undefined, {}, undefined],
    [
      'that of the general variable, with the path of the signal',
      'metrics',
      undefined,
      env,
      'http://all:4318/base/v1/metrics',
    ],
    ['that of the variable of the signal, unchanged', 'traces', undefined, env, 'http://traces/as-is'],
    ['that of our option before all variables', 'traces', 'http://ours', env, 'http://ours/v1/traces'],
    [
      'one whose query stays behind the path of the signal',
      'logs',
      'http://me:secret@ours/base/?key=1',
      env,
      'http://me:secret@ours/base/v1/logs?key=1',
    ],
    ['the default for logs, too', 'logs', DEFAULT_OTLP_URL, {}, 'http://127.0.0.1:4318/v1/logs'],
  ] as const)
    test(`is ${what}`, () => assert.equal(otlpUrl(signal, option, variables), expected))

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
  for (const [name, argument, isParentBased, ratio] of [
    [undefined, undefined, true, 1],
    ['', '0.5', true, 1],
    ['always_on', '0.5', false, 1],
    ['always_off', undefined, false, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['traceidratio', undefined, false, 1],
    ['parentbased_always_on', undefined, true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['ParentBased_TraceIdRatio', '0.25', true, 0.25],
  ] as const)
    test(`of "${name}" with "${argument}" has the ratio ${ratio}`, t => {
      const warnings = captureWarnings(t)
      const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }
      assert.deepEqual(readSampling(undefined, env), { isParentBased, ratio })
      assert.deepEqual(warnings, [])
    })

  test('is that of our option before all variables', () => {
    const env = { OTEL_TRACES_SAMPLER: 'always_off' }
    assert.deepEqual(readSampling(0.1, env), { isParentBased: true, ratio: 0.1 })
  })

  for (const [env, expected] of [
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^warning: OTEL_TRACES_SAMPLER is "jaeger_remote"/],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      /^warning: OTEL_TRACES_SAMPLER_ARG is "2"/,
    ],
  ] as const)
    test(`is the default with one line for ${JSON.stringify(env)}`, t => {
      const warnings = captureWarnings(t)
      assert.deepEqual(readSampling(undefined, env), { isParentBased: true, ratio: 1 })
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] as string, expected)
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
