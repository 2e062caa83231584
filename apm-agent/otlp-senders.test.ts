import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import protobuf from 'protobufjs'
import { decodeMetrics } from './otlp-metrics.ts'
import { OtlpReporter } from './otlp-reporter.ts'
import { exposeMetrics } from './prometheus.ts'
import { Reporters } from './reporters.ts'

const MINUTE_MS = 60_000
const Request = protobuf
  .parse(readFileSync(join(import.meta.dirname, 'otlp.proto'), 'utf8'))
  .root.lookupType('ExportMetricsServiceRequest')

type Attributes = Readonly<Record<string, object>>

const text = (stringValue: string) => ({ stringValue })
const toPairs = (attributes: Attributes) => Object.entries(attributes).map(([key, value]) => ({ key, value }))
const point = (value: object, attributes: Attributes = {}) => ({ ...value, attributes: toPairs(attributes) })
const sum = (name: string, ...dataPoints: object[]) => ({
  name,
  sum: { isMonotonic: true, aggregationTemporality: 2, dataPoints },
})
const one = point({ asInt: 1 })

/** Processes that send metrics as OTLP, and the series that are exposed of them. */
function start(t: TestContext) {
  let nowMs = 0
  const said: string[] = []
  t.mock.method(process.stderr, 'write', (line: string) => said.push(line))
  const reporters = new Reporters({ nowMs: () => nowMs })
  return {
    said,
    send(resource: Record<string, string>, metrics: object[], scope: object = {}) {
      const attributes = toPairs(
        Object.fromEntries(Object.entries(resource).map(([key, value]) => [key, text(value)])),
      )
      const request = { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ scope, metrics }] }] }
      for (const received of decodeMetrics(Request.encode(Request.fromObject(request)).finish()))
        reporters
          .find('otlp', received.resource, () => new OtlpReporter(received.resource, reporters.clock))
          ?.take(received)
    },
    passMinutes(minutes: number) {
      nowMs += minutes * MINUTE_MS
    },
    series: () =>
      exposeMetrics(reporters.collect())
        .split('\n')
        .filter(line => line && !/^#|^target_info/.test(line)),
  }
}

describe('metrics that come as OTLP', () => {
  test('are those of each sender, also where some attributes of their resources are equal', t => {
    const { send, series } = start(t)
    send({ 'service.name': 'shop' }, [sum('jobs', one)])
    send({ 'service.name': 'billing' }, [sum('jobs', one)])
    send({ 'service.name': 'shop', 'service.instance.id': 'pod' }, [sum('jobs', one)])
    send({ 'service.name': 'billing', 'service.instance.id': 'pod' }, [sum('jobs', one)])
    assert.deepEqual(series(), [
      'jobs_total{service_name="shop"} 1',
      'jobs_total{service_name="billing"} 1',
      'jobs_total{service_name="shop",service_instance_id="pod"} 1',
      'jobs_total{service_name="billing",service_instance_id="pod"} 1',
    ])
  })

  test('are those of each instrumentation scope', t => {
    const { send, series } = start(t)
    send({}, [sum('jobs', one)], { name: 'http' })
    send({}, [sum('jobs', one)], { name: 'http', version: '2' })
    send({}, [sum('jobs', one)], { name: 'http', attributes: toPairs({ 'a.b': text('c') }) })
    assert.deepEqual(series(), [
      'jobs_total{otel_scope_name="http"} 1',
      'jobs_total{otel_scope_name="http",otel_scope_version="2"} 1',
      'jobs_total{otel_scope_name="http",otel_scope_a_b="c"} 1',
    ])
  })

  test('may come in several requests, in which each metric is replaced by a later one', t => {
    const { send, series, passMinutes } = start(t)
    send({}, [sum('jobs', one, point({ asInt: 2 }, { k: text('v') }))])
    send({}, [sum('others', one)])
    assert.deepEqual(series(), ['jobs_total 1', 'jobs_total{k="v"} 2', 'others_total 1'])
    send({}, [sum('jobs', point({ asInt: 7 }), point({ flags: 1 }, { k: text('v') }))])
    assert.deepEqual(series(), ['others_total 1', 'jobs_total 7'])
    passMinutes(4)
    send({}, [sum('others', one)])
    passMinutes(4)
    assert.deepEqual(series(), ['others_total 1'], 'metrics that nobody sends are forgotten')
  })

  test('are absent if they have no recorded value', t => {
    const { send, series, said } = start(t)
    const dataPoints = [{ flags: 1 }]
    send({}, [
      { name: 'a', gauge: { dataPoints } },
      sum('b', ...dataPoints),
      { name: 'c', histogram: { aggregationTemporality: 2, dataPoints } },
    ])
    assert.deepEqual([series(), said], [[], []])
  })

  test('are missed once on stderr if Prometheus cannot have them', t => {
    const { send, series, said } = start(t)
    const delta = { aggregationTemporality: 1, dataPoints: [one] }
    for (let times = 0; times < 2; times++)
      send({ 'service.name': 'shop' }, [
        { name: 'a', sum: delta },
        { name: 'b', sum: delta },
        { name: 'c', exponentialHistogram: { dataPoints: [Buffer.alloc(0)] } },
        { name: 'd', summary: { dataPoints: [Buffer.alloc(0)] } },
        { name: 'e', histogram: { aggregationTemporality: 2, dataPoints: [{ count: 3, sum: 1 }] } },
      ])
    assert.deepEqual(series(), [])
    assert.equal(said.length, 1)
    assert.match(
      said[0] ?? '',
      /warning: \/metrics lacks a of shop and what is like it, because it is no gauge, and no cumulative sum/,
    )
  })

  test('have values of any type as labels', t => {
    const { send, series } = start(t)
    const id = { intValue: '7' }
    const bytes = { bytesValue: Buffer.from('ab') }
    const list = { arrayValue: { values: [text('a'), { intValue: '1' }] } }
    send({}, [sum('jobs', point({ asInt: '9' }, { id, bytes, list, le: text('5') }))])
    assert.deepEqual(series(), ['jobs_total{id="7",bytes="YWI=",list="[\\"a\\",1]",le="5"} 9'])
  })

  test('are a ratio if they are a gauge with the unit 1, and a count otherwise', t => {
    const { send, series } = start(t)
    send({}, [
      { ...sum('orders.placed', one), unit: '1' },
      { name: 'queue.size', unit: '1', sum: { aggregationTemporality: 2, dataPoints: [one] } },
      { name: 'cpu.use', unit: '1', gauge: { dataPoints: [one] } },
    ])
    assert.deepEqual(series(), ['orders_placed_total 1', 'queue_size 1', 'cpu_use_ratio 1'])
  })
})
