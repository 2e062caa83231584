import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Script } from 'node:vm'
import type { Slice } from './spectrum.ts'
import { readSelfTime } from './split.ts'

const ROOT = join(import.meta.dirname, '../..')

type Work = (durationMs: number, call?: () => void) => void

/** Something that keeps the thread busy, from a file of this name, and may call something else before. */
function workFrom(file: string): Work {
  const source = `(function work(durationMs, call) {
    call?.()
    for (const endsAtMs = performance.now() + durationMs; performance.now() < endsAtMs; );
  })`
  return new Script(source, { filename: file }).runInThisContext()
}

describe('self time', () => {
  test('of a program of known parts is told within five points', async () => {
    const inProject = (file: string) => workFrom(join(ROOT, file))
    const inPackage = (name: string) => workFrom(join(ROOT, 'node_modules', name, 'index.js'))
    const [compute, framework, http] = [
      inProject('app/concerns/compute/outcome.ts'),
      inProject('app/concerns/framework/contract.ts'),
      workFrom('node:_http_server'),
    ]
    const [helper, unknown] = [inProject('lib/random.ts'), inPackage('depd')]
    const known: Partial<Record<Slice, number>> = {
      compute: 30,
      framework: 25,
      serialization: 15,
      http: 10,
      apm: 10,
      runtime: 10,
    }
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    for (let round = 0; round < 10; round++) {
      compute(45, () => helper(45))
      framework(30, () => {
        unknown(45)
        inPackage('protobufjs')(45, () => http(30))
      })
      inPackage('@opentelemetry/sdk-metrics')(30)
      unknown(30)
      await delay(30)
    }
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()

    const seen = readSelfTime(profile)
    const { idle, control, ...busy } = seen
    const total = Object.values(busy).reduce((sum, micros) => sum + micros, 0)
    for (const [slice, points] of Object.entries(known)) {
      const share = (seen[slice as Slice] / total) * 100
      assert.ok(Math.abs(share - points) < 5, `${slice} is ${share.toFixed(1)} %, was made to be ${points} %`)
    }
    assert.equal(control, 0)
    assert.ok(idle > 0)
  })
})
