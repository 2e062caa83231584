import assert from 'node:assert/strict'
import { test } from 'node:test'
import { first, startAppWithOrders } from '../../../test/traced-app.ts'
import { type Implementation, namesOf } from '../../concerns.ts'

const UNSAMPLED = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-00'
/** The framework with the least work of its own is the last of the list. */
const framework = namesOf('framework').at(-1) as Implementation<'framework'>

for (const name of namesOf('apm').filter(name => !['none'].includes(name))) {
  test(`apm/${name} does what the variables of OpenTelemetry say`, async t => {
    const { ask, finish } = await startAppWithOrders(t, name, {
      composition: { ...first, framework },
      otel: {
        OTEL_SERVICE_NAME: 'shop',
        OTEL_RESOURCE_ATTRIBUTES:
          'service.name=other,service.version=7,deployment.environment.name=a%20test,service.instance.id=same',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours',
        OTEL_TRACES_SAMPLER: 'always_on',
      },
    })
    const { upstreamHeaders } = await ask('/demo?seed=1', { traceparent: UNSAMPLED })
    const { spans, resources, requests } = await finish()

    await t.test('OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES: spans and metrics have one resource', () => {
      const [resource] = resources
      assert.equal(resource?.['service.name'], 'shop')
      assert.equal(resource['service.version'], '7')
      assert.equal(resource['deployment.environment.name'], 'a test')
      assert.match(String(resource['service.instance.id']), /^[\da-f-]{36}$/, 'each process has its own')
      for (const span of spans) assert.deepEqual(span.resource, resource)
    })

    await t.test('OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS', () => {
      assert.deepEqual([...new Set(requests.map(({ path }) => path))].sort(), ['/v1/metrics', '/v1/traces'])
      for (const { headers } of requests) assert.equal(headers['x-team'], 'ours')
    })

    await t.test('OTEL_TRACES_SAMPLER: always_on samples a trace whose sender did not', () => {
      assert.equal(spans.filter(({ kind }) => kind === 'SERVER').length, 1)
      assert.deepEqual(
        upstreamHeaders.map(({ traceparent }) => String(traceparent).slice(-2)),
        ['01'],
      )
    })
  })
}
