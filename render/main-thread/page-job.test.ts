import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { JobFailed } from '../../lib/main-thread/job.ts'
import { guarded } from '../../lib/main-thread/warn.ts'
import { seededRandom } from '../../lib/random.ts'
import type { PageChunk } from '../protocol.ts'
import { PageJob } from './page-job.ts'
import type { RenderError } from './render-error.ts'
import type { RenderWork } from './render-thread.ts'
import type { PageRequest, PageSink } from './renderer-types.ts'

const CALLS = ['start', 'chunk', 'fail', 'notes', 'missing', 'rendered', 'onError', 'onPage'] as const
const failure = {
  code: 'BOUNDARY_FAILED' as const,
  error: { message: 'on purpose', stack: undefined },
  componentStack: undefined,
  digest: undefined,
}
const end = { timedOut: false, outOfMemory: false, why: 'killed on purpose', error: undefined }

/** A page whose sink and whose callbacks are counted, and some of which throw. */
function pageThat(throws: (name: string) => boolean, signals: Pick<PageRequest, 'signal' | 'abort'> = {}) {
  const counts = Object.fromEntries(CALLS.map(name => [name, 0])) as Record<(typeof CALLS)[number], number>
  const errors: RenderError[] = []
  const call = (name: (typeof CALLS)[number]) => {
    counts[name]++
    if (throws(name)) throw new Error(`${name} threw on purpose`)
  }
  const sink = Object.fromEntries(CALLS.map(name => [name, () => call(name)])) as unknown as PageSink
  const page = new PageJob({ url: '/', ...signals }, sink, {
    shellTimeoutMs: 1000,
    pageTimeoutMs: 1000,
    windowBytes: 1000,
    onError: guarded('onError', (error: RenderError) => {
      errors.push(error)
      call('onError')
    }),
    onPage: guarded('onPage', () => call('onPage')),
  })
  return { page, counts, errors }
}

const thread = { open() {}, send() {}, stateIn: () => 0 } as unknown as RenderWork

/** Makes what a thread may say of a page, in an order that makes sense. */
function* drawChunks(random: () => number): Generator<PageChunk> {
  const html = new Uint8Array(5)
  const some = () => ({
    ...(random() < 0.3 && { notes: [1] }),
    ...(random() < 0.3 && { boundaryFailures: [failure] }),
  })
  if (random() < 0.2) return yield { id: 1, failure, isLast: true }
  yield { id: 1, status: 200, html, ...some() }
  while (random() < 0.5) yield { id: 1, html, ...some() }
  yield { id: 1, html, ...some(), times: [0, 0, 0, 0], isLast: true }
}

test('whatever the functions of a page throw, nothing else ends, and the reason is reported', t => {
  const warnings: string[] = []
  t.mock.method(process, 'emitWarning', (warning: string) => warnings.push(warning))
  const random = seededRandom(1)
  let failed = 0
  for (let count = 0; count < 10_000; count++) {
    const { page, counts, errors } = pageThat(() => random() < 0.15)
    void page.dispatch({ thread, id: 1, slot: 0 })
    for (const chunk of drawChunks(random)) {
      const what = random()
      if (what < 0.05) page.lose(end, undefined)
      else if (what < 0.1) page.giveUp(new JobFailed('died'))
      else if (what < 0.15) page.abort()
      else page.take(chunk)
    }
    assert.ok(counts.start <= 1 && counts.fail <= 1)
    const abandoned = errors.filter(({ code }) => code === 'ANSWER_FAILED')
    for (const { cause } of abandoned)
      assert.match(String(cause), /(start|chunk|fail|notes|missing|rendered) threw/)
    failed += abandoned.length
  }
  assert.ok(failed > 1000)
  assert.ok(warnings.length > 1000)
  assert.ok(
    warnings.every(warning => /^on(Error|Page) threw Error: on(Error|Page) threw on purpose/.test(warning)),
  )
})

const shell: PageChunk = { id: 1, status: 200, html: new Uint8Array(5) }
const ends: Readonly<Record<string, (page: PageJob) => void>> = {
  'was sent': page => page.take({ ...shell, isLast: true }),
  failed: page => page.take({ id: 1, failure, isLast: true }),
  'is not wanted': page => page.leave(),
  'was cut': page => {
    page.take(shell)
    page.lose(end, undefined)
  },
}

for (const [how, endPage] of Object.entries(ends))
  test(`a page that ${how} leaves its signals, which may live longer`, () => {
    const [signal, abort] = [new AbortController().signal, new AbortController().signal]
    const { page } = pageThat(() => false, { signal, abort })
    page.listen()
    void page.dispatch({ thread, id: 1, slot: 0 })
    const count = () => [signal, abort].map(each => getEventListeners(each, 'abort').length)
    assert.deepEqual(count(), [1, 1])
    endPage(page)
    assert.deepEqual(count(), [0, 0])
  })
