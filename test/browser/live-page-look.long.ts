import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { LiveMessage, Update } from '../../screen/live-messages.ts'
import { describeTestApp } from '../pulses.ts'
import { findViolations } from './axe.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser.ts'
import { contrast } from './contrast.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { startLiveSource } from './live-source.ts'
import { openLivePage } from './open-live-page.ts'

const openPage = startBrowser()
const source = await startLiveSource()
after(() => source.close())
const LEAST_CONTRAST_OF_OUTLINE = 3

const screens = [
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 1100, height: 720 },
  { width: 390, height: 844 },
]
/** Elements that only a screen reader reads. */
const HIDDEN = 'legend'
const latencyMs = { p50: 12_345, p90: 12_345, p99: 23_456 }
const ledger = { emitted: 12_345_678, delivered: 12_333_333 }
const manyDigits: Partial<Update> = {
  latencyMs,
  latencyAt: 'client',
  costMicros: 12_345,
  ceiling: 12_345,
  pools: [{ name: 'compute', size: 64, queueLength: 12_345, busy: 1, waitMs: 12_345, runMs: 12_345 }],
  lanes: [{ name: 'a thread with a name that is long', share: 1 }],
  ledger: { logLines: ledger, spans: ledger, metricPoints: ledger },
}

describe('the look of the live page', { skip: missingBrowser }, () => {
  const open = async (path?: string, options?: Parameters<typeof openPage>[0]) =>
    openLivePage(await openPage(options), source, path)

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has nothing that axe finds wrong: ${colorScheme}`, async () => {
      const { page } = await open('/', { colorScheme })
      assert.deepEqual(await findViolations(page), [])
      await page.close()
    })

  for (const viewport of screens)
    test(`fits ${viewport.width} x ${viewport.height}, with five digits too, and keeps its layout in every state`, async () => {
      const { page } = await open('/', { viewport })
      assert.deepEqual(await readOverflow(page), [])
      assert.deepEqual(await readCollisions(page, `${HIDDEN}, .uplot *`), [])
      source.play(1, describeTestApp(), manyDigits)
      await page.locator('#cost', { hasText: '12,345' }).waitFor()
      assert.deepEqual(await readOverflow(page), [])
      const read = async () => ({
        top: (await page.locator('.figures').boundingBox())?.y,
        height: await root(page).evaluate(({ scrollHeight }: Dom) => scrollHeight),
      })
      const live = await read()
      const states: readonly [LiveMessage, string][] = [
        [{ kind: 'silence' }, 'No app is reporting'],
        [{ kind: 'full' }, 'Too many live pages'],
      ]
      for (const [message, text] of states) {
        source.tell(message)
        await page.getByRole('status').getByText(text).waitFor()
        assert.deepEqual(await read(), live)
      }
      await page.close()
    })

  test('shows the focus', async () => {
    const { page } = await open()
    // Charts and lanes have no text.
    const charts = await page.getByRole('img').allTextContents()
    for (const name of ['Theme: auto d', 'Range: 2 min r', ...charts]) {
      await page.keyboard.press('Tab')
      const focus = page.locator(':focus-visible')
      assert.equal((await focus.textContent())?.trim(), name)
      const { style, color, ground } = await focus.evaluate((element: Dom) => {
        const { getComputedStyle, document } = element.ownerDocument.defaultView
        const { outlineStyle, outlineColor } = getComputedStyle(element)
        return {
          style: outlineStyle,
          color: outlineColor,
          ground: getComputedStyle(document.body).backgroundColor,
        }
      })
      assert.equal(style, 'solid')
      assert.ok(contrast(color, ground) >= LEAST_CONTRAST_OF_OUTLINE)
    }
    await page.close()
  })
})
