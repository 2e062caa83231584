import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MetricPoint } from '../metrics.ts'
import { Recording } from './recording.ts'
import { Strings } from './strings.ts'

const NEVER_MS = 1e9

describe('the metrics of an app', () => {
  test('lack a point that is malformed, which is counted, and those of a reader that fails', async () => {
    const sent: MetricPoint[] = []
    const recording = startRecording(sent)
    const metric = 'app.pool.size'
    const malformed = [
      { metric, value: Number.POSITIVE_INFINITY },
      { metric, value: Number.NaN },
      { metric, value: undefined },
      { metric, value: 1, attributes: { pool: undefined } },
    ]
    recording.watch(async () => malformed as never)
    recording.watch(() => {
      throw new Error('this reader fails')
    })
    recording.watch(async () => [{ metric, value: 7 }])
    await recording.close()
    assert.deepEqual(
      sent.filter(point => point.metric === metric),
      [{ metric, value: 7 }],
    )
    assert.deepEqual(recording.counts().metricPoints, {
      emitted: sent.length + malformed.length,
      dropped: malformed.length,
    })
  })

  test('are given up at the end by a reader that never answers', async () => {
    const recording = startRecording()
    recording.watch(() => new Promise(() => {}))
    await recording.close()
  })
})

/** A recording whose spans go nowhere. */
function startRecording(sent: MetricPoint[] = []): Recording {
  const destination = {
    take: () => undefined,
    send: () => {},
    takesPartialBatches: true,
    sendPoints: (points: readonly MetricPoint[]) => void sent.push(...points),
    counts: () => ({ droppedSpans: 0, metricPoints: { emitted: sent.length, dropped: 0 } }),
    close: async () => {},
  }
  return new Recording(destination, new Strings(), {
    metricIntervalMs: NEVER_MS,
    sampling: { isParentBased: false, ratio: 1 },
    currentSpan: () => undefined,
  })
}
