import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeTestApp } from '../pulses.ts'
import { findViolations } from './axe.ts'
import { missingBrowser, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { startLiveSource } from './live-source.ts'
import { openLivePage } from './open-live-page.ts'

const openPage = startBrowser()
const source = await startLiveSource()
after(() => source.close())
const THREADS = 15
const HIDDEN = 'legend, .unseen'
const other = describeTestApp({ instance: 'other', step: null, name: 'step 1, logging: elsewhere' })

const lanes = ['compute', 'rendering'].flatMap(kind =>
  Array.from({ length: THREADS }, (_, index) => ({ name: `${kind} ${index + 1}`, share: index / THREADS })),
)
const fault = { id: 1, name: 'kill-orders', fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2027, 0, 1) }

/** Shows an app with two large pools, a fault, bad answers, and a latency above the scale. */
async function showTroubles(page: Page): Promise<void> {
  const changes = { lanes: [{ name: 'main', share: 0.5 }, ...lanes], faults: [fault], bad: 1234 }
  source.play(2, other, { ...changes, latencyMs: { p50: 9000, p90: 9000, p99: 9000 } })
  source.play(20, other, changes)
  await page.getByText(`compute × ${THREADS}`).waitFor()
}

describe('the charts of the live page', { skip: missingBrowser }, () => {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ] as const)
    test(`fit ${width} x ${height} with 15 threads, a fault and other troubles`, async () => {
      const { page } = await openLivePage(await openPage({ viewport: { width, height } }), source)
      await showTroubles(page)
      assert.deepEqual(await readOverflow(page), [])
      assert.deepEqual(await readCollisions(page, `${HIDDEN}, .uplot, .uplot *`), [])
      await page.close()
    })

  test('have one lane for 15 threads, and one for each of a few', async () => {
    const { page, troubles } = await openLivePage(await openPage(), source)
    await showTroubles(page)
    const names = () => page.locator('.lane > :first-child').allTextContents()
    assert.deepEqual(await names(), ['main', `compute × ${THREADS}`, `rendering × ${THREADS}`])
    source.play(1, describeTestApp({ instance: 'next' }))
    await page.getByText('compute 1', { exact: true }).waitFor()
    assert.deepEqual(await names(), ['main', 'compute 1'])
    assert.deepEqual(troubles, [])
    await page.close()
  })

  test('announce values at a cursor that arrow keys move, and nothing without a key', async () => {
    const { page, troubles } = await openLivePage(await openPage(), source)
    await showTroubles(page)
    const announced = page.locator('#announcements')
    const chart = page.locator('#throughput [role=img]')
    await chart.focus()
    const label = await chart.getAttribute('aria-label')
    await chart.press('ArrowLeft')
    await announced
      .filter({ hasText: /^0:0\d ago\. Good answers a second: [\d.]+\. Bad answers a second: 1,234\.$/ })
      .waitFor()
    const latest = await announced.textContent()
    await chart.press('ArrowLeft')
    await announced.filter({ hasNotText: latest as string }).waitFor()
    const earlier = await announced.textContent()
    source.play(1, other)
    await page.locator('#goodput', { hasText: String(source.lastGoodput) }).waitFor()
    assert.deepEqual(
      [await announced.textContent(), await chart.getAttribute('aria-label')],
      [earlier, label],
    )
    assert.equal(await page.locator('#latency .readout').isVisible(), true)
    assert.deepEqual(await findViolations(page), [])
    await chart.press('Escape')
    await page.locator('.readout:visible').first().waitFor({ state: 'detached' })
    assert.deepEqual(troubles, [])
    await page.close()
  })

  test('show values at the pointer, and list all events beside the charts', async () => {
    const { page } = await openLivePage(await openPage(), source)
    await showTroubles(page)
    await page.locator('#latency .u-over').hover()
    await page.locator('#throughput .readout', { hasText: /good \d/ }).waitFor()
    assert.deepEqual(await page.locator('#events tbody td:nth-child(2)').allTextContents(), [
      'step 1, logging: elsewhere',
      'kill-orders',
    ])
    await page.close()
  })
})
