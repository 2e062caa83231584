import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Gauge, Registry } from './prometheus.ts'

test('metrics are text for Prometheus, brought up to date when they are read', async () => {
  const registry = new Registry()
  const registers = [registry]
  const read = new Counter({
    name: 'lines_read_total',
    help: 'Lines read',
    labelNames: ['target'],
    registers,
  })
  new Counter({ name: 'restarts_total', help: 'Starts after\nthe first', registers })
  let waiting = 1
  new Gauge({
    name: 'lag_bytes',
    help: 'Bytes that wait',
    labelNames: ['target'],
    registers,
    async collect() {
      this.set({ target: 'a "file"' }, waiting)
    },
  })
  read.inc({ target: 'a' }, 3)
  read.inc({ target: 'b' })
  read.inc({ target: 'a' })
  waiting = 1.5

  assert.deepEqual((await registry.metrics()).split('\n'), [
    '# HELP lines_read_total Lines read',
    '# TYPE lines_read_total counter',
    'lines_read_total{target="a"} 4',
    'lines_read_total{target="b"} 1',
    '# HELP restarts_total Starts after\\nthe first',
    '# TYPE restarts_total counter',
    'restarts_total 0',
    '# HELP lag_bytes Bytes that wait',
    '# TYPE lag_bytes gauge',
    'lag_bytes{target="a \\"file\\""} 1.5',
    '',
  ])
  assert.deepEqual((await read.get()).values, [
    { labels: { target: 'a' }, value: 4 },
    { labels: { target: 'b' }, value: 1 },
  ])
})

test('a metric that is reset has only the values that were set since', async () => {
  const registry = new Registry()
  const count = new Counter({ name: 'a_total', help: 'A', labelNames: ['x'], registers: [registry] })
  count.inc({ x: '1' })
  count.reset()
  count.inc({ x: '2' })
  assert.deepEqual((await count.get()).values, [{ labels: { x: '2' }, value: 1 }])
})
