import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPrometheusText } from './prometheus.ts'

test('figures are text for Prometheus: counters by their names, others as gauges', () => {
  const text = toPrometheusText([
    {
      name: 'lines_read_total',
      help: 'Lines read',
      values: [
        [{ target: 'a' }, 4],
        [{ target: 'b' }, 1],
      ],
    },
    { name: 'restarts_total', help: 'Starts after\nthe first', values: [[{}, 0]] },
    { name: 'lag_bytes', help: 'Bytes that wait', values: [[{ target: 'a "file"' }, 1.5]] },
  ])
  assert.deepEqual(text.split('\n'), [
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
})
