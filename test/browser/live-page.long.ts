import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeTestApp } from '../pulses.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser.ts'
import { startLiveSource, UPDATES_OF_A_HISTORY } from './live-source.ts'
import { openLivePage } from './open-live-page.ts'

const openPage = startBrowser()
const source = await startLiveSource()
after(() => source.close())
const AN_HOUR_OF_UPDATES = 7200

const text = (page: Page, selector: string) => page.locator(selector).textContent()

describe('the live page', { skip: missingBrowser }, () => {
  const open = async (path?: string, options?: Parameters<typeof openPage>[0]) =>
    openLivePage(await openPage(options), source, path)

  test('shows the running step among all steps, and another composition after them', async () => {
    const { page } = await open()
    assert.deepEqual(await page.locator('#ladder li').allTextContents(), ['0 monolith', '1 compute'])
    assert.equal(await text(page, '#ladder [aria-current]'), '1 compute')
    source.play(5, describeTestApp({ instance: 'other', step: null, name: 'compute+apm=none' }))
    await page.locator('#ladder [aria-current]', { hasText: 'compute+apm=none' }).waitFor()
    assert.equal(await page.locator('#ladder li').count(), 3)
    await page.close()
  })

  test('shows the figures of the last update, and keeps earlier ones for charts', async () => {
    const { page, troubles } = await open()
    assert.equal(await text(page, '#cost'), '500')
    assert.equal(await text(page, '#ceiling'), '2,000')
    assert.deepEqual(await page.locator('#pools tbody th').allTextContents(), ['compute'])
    for (const chart of await page.getByRole('img').all())
      assert.match((await chart.getAttribute('aria-label')) ?? '', /now, between/)
    assert.deepEqual(troubles, [])
    await page.close()
  })

  test('shows the fault and its remaining time in the place of the note', async () => {
    const { page, troubles } = await open()
    const fault = { id: 1, name: 'kill-orders', fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2027, 0, 1) }
    source.play(1, undefined, { faults: [fault, { ...fault, id: 2, name: 'over', untilMs: fault.fromMs }] })
    await page.getByText(/^kill-orders, [1-9]\d* s left$/).waitFor()
    assert.equal(await page.locator('#note').isVisible(), false)
    source.play(1)
    await page.locator('#note').waitFor()
    assert.deepEqual(troubles, [])
    await page.close()
  })

  test('shows when no app is reporting', async () => {
    const { page } = await open()
    await page.getByRole('status').getByText('Live').waitFor()
    source.tell({ kind: 'silence' })
    await page.getByRole('status').getByText('No app is reporting').waitFor()
    source.play(1)
    await page.getByRole('status').getByText('Live').waitFor()
    await page.close()
  })

  test('has no figures without a current update, and its time axis moves on', async () => {
    const { page } = await open()
    const figures = () => page.locator('dd span, .share').allTextContents()
    assert.ok(!(await figures()).includes('–'))
    source.tell({ kind: 'silence' })
    await page.locator('#goodput', { hasText: '–' }).waitFor()
    assert.deepEqual([...new Set(await figures())], ['–'])
    await root(page).evaluate(async ({ ownerDocument: { defaultView: window } }: Dom) => {
      const read = () => window.document.querySelector('#throughput canvas').toDataURL()
      const nextFrame = () => new Promise(resolve => window.requestAnimationFrame(resolve))
      for (const before = read(); read() === before; ) await nextFrame()
    })
    await page.close()
  })

  test('hides the figures when another sample begins', async () => {
    const { page } = await open()
    source.tell(source.runOf('another test'))
    await page.getByText('another test').waitFor()
    await page.locator('#goodput', { hasText: '–' }).waitFor()
    source.play(1)
    await page.locator('#goodput', { hasText: /\d/ }).waitFor()
    await page.close()
  })

  test('connects again when the connection is lost, and asks for what it lacks', async () => {
    const { page } = await open()
    const again = page.waitForRequest(request => request.url().includes('/events'))
    source.disconnect()
    await page.getByRole('status').getByText('No connection to apm-agent').waitFor()
    const after = Number(new URL((await again).url()).searchParams.get('after'))
    assert.ok(after > 0)
    await page.getByText('a test').waitFor()
    source.play(1)
    await page.getByRole('status').getByText('Live').waitFor()
    await page.close()
  })

  test('shows when too many live pages are open', async () => {
    const { page } = await open()
    source.tell({ kind: 'full' })
    await page.getByRole('status').getByText('Too many live pages are open').waitFor()
    await page.close()
  })

  test('shows where latency is measured', async () => {
    const { page } = await open()
    const labels = () => page.locator('dt:has(.seen-by), figcaption:has(.seen-by)').allTextContents()
    assert.deepEqual(
      (await labels()).map(label => label.trim().replace(/\s+p50.*/, '')),
      ['p50 in the server', 'p99 in the server', 'Latency in the server, ms'],
    )
    source.play(1, describeTestApp(), { latencyAt: 'client' })
    await page.getByText('p99 at the client').waitFor()
    await page.close()
  })

  test('announces the connection to screen readers, and nothing that changes twice a second', async () => {
    const { page } = await open()
    const live = await page
      .locator('[role=status], [aria-live], output')
      .evaluateAll((all: Dom[]) => all.map(({ id }) => id))
    assert.deepEqual(live, ['connection', 'announcements'])
    assert.equal(await text(page, '#announcements'), '')
    await page.close()
  })

  test('can be used by keys, keeps the choices in the URL, and leaves the browser its own keys', async () => {
    const { page } = await open()
    await page.keyboard.press('d')
    await page.keyboard.press('r')
    assert.equal(new URL(page.url()).search, '?theme=light&minutes=5')
    await page.keyboard.press('Control+d')
    assert.equal(new URL(page.url()).search, '?theme=light&minutes=5')
    await page.close()
  })

  test('moves its charts rarely for a reader who prefers less motion, and its figures as usual', async () => {
    const page = await openPage({ reducedMotion: 'reduce' })
    await page.addInitScript('globalThis.passedMs = 0; performance.now = () => globalThis.passedMs')
    await openLivePage(page, source)
    const chart = page.locator('#throughput [role=img]')
    const before = await chart.getAttribute('aria-label')
    const figure = (await text(page, '#goodput')) as string
    source.play(1)
    await page.locator('#goodput', { hasNotText: figure }).waitFor()
    assert.equal(await chart.getAttribute('aria-label'), before)
    await page.evaluate('globalThis.passedMs = 5000')
    source.play(1)
    await page.locator(`#throughput [role=img]:not([aria-label="${before}"])`).waitFor()
    await page.close()
  })

  test('holds no more memory after an hour than after ten minutes', async () => {
    const { page, troubles } = await open()
    const devtools = await page.context().newCDPSession(page)
    const play = async (updates: number) => {
      for (let played = 0; played < updates; played += 100) {
        source.play(100, describeTestApp({ instance: `at ${played}` }))
        await page
          .locator('#goodput')
          .getByText(source.lastGoodput.toLocaleString('en'), { exact: true })
          .waitFor()
      }
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    const early = await play(2 * UPDATES_OF_A_HISTORY)
    const late = await play(AN_HOUR_OF_UPDATES)
    assert.ok(late < early * 1.1, `${early} bytes became ${late}`)
    assert.deepEqual(troubles, [])
    await page.close()
  })
})
