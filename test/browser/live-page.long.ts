import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { LiveMessage, Update } from '../../screen/live-messages.ts'
import { describeTestApp } from '../pulses.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser.ts'
import { checkFocus, readCollisions, readOverflow } from './layout.ts'
import { startLiveSource } from './live-source.ts'
import { collectTroubles, findViolations } from './troubles.ts'

const openPage = startBrowser()
const source = await startLiveSource()
after(() => source.close())
const THREADS = 15
/** Elements that only a screen reader reads. */
const HIDDEN = 'legend'
const other = describeTestApp({ instance: 'other', step: null, name: 'step 1, logging: elsewhere' })
const fault = { id: 1, name: 'kill-orders', fromMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 0, 2) }
const ledger = { emitted: 12_345_678, delivered: 12_333_333 }
const manyDigits: Partial<Update> = {
  latencyMs: { p50: 12_345, p90: 12_345, p99: 23_456 },
  latencyAt: 'client',
  costMicros: 12_345,
  ceiling: 12_345,
  pools: [{ name: 'compute', size: 64, queueLength: 12_345, busy: 1, waitMs: 12_345, runMs: 12_345 }],
  lanes: [{ name: 'a thread with a name that is long', share: 1 }],
  ledger: { logLines: ledger, spans: ledger, metricPoints: ledger },
}

/** Opens the live page, waits until it has shown some updates, and asserts at the end that the browser did not complain. */
const show =
  (look: (page: Page) => Promise<unknown>, options: BrowserContextOptions = {}, script?: string) =>
  async () => {
    const page = await openPage(options)
    const troubles = await collectTroubles(page)
    if (script) await page.addInitScript(script)
    await page.goto(source.url)
    await page.getByText('a test').waitFor()
    source.play(20)
    await page.locator('#ladder [aria-current]').waitFor()
    await look(page)
    assert.deepEqual(troubles, [])
    await page.context().close()
  }

const text = (page: Page, selector: string) => page.locator(selector).textContent()
const status = (page: Page, says: string) => page.getByRole('status').getByText(says).waitFor()

/** Shows an app with two large pools, a fault, bad answers, and a latency above the scale. */
async function showTroubles(page: Page): Promise<void> {
  const lanes = ['compute', 'rendering'].flatMap(kind =>
    Array.from({ length: THREADS }, (_, index) => ({ name: `${kind} ${index + 1}`, share: index / THREADS })),
  )
  const changes = { lanes: [{ name: 'main', share: 0.5 }, ...lanes], faults: [fault], bad: 1234 }
  source.play(2, other, { ...changes, latencyMs: { p50: 9000, p90: 9000, p99: 9000 } })
  source.play(20, other, changes)
  await page.getByText(`compute × ${THREADS}`).waitFor()
}

describe('the live page', { skip: missingBrowser }, () => {
  test(
    'shows the running step among all steps, and another composition after them',
    show(async page => {
      assert.deepEqual(await page.locator('#ladder li').allTextContents(), ['0 monolith', '1 compute'])
      assert.equal(await text(page, '#ladder [aria-current]'), '1 compute')
      source.play(5, describeTestApp({ instance: 'other', step: null, name: 'compute+apm=none' }))
      await page.locator('#ladder [aria-current]', { hasText: 'compute+apm=none' }).waitFor()
      assert.equal(await page.locator('#ladder li').count(), 3)
    }),
  )

  test(
    'shows the figures of the last update, and where latency is measured, and keeps earlier ones for charts',
    show(async page => {
      assert.deepEqual([await text(page, '#cost'), await text(page, '#ceiling')], ['500', '2,000'])
      assert.deepEqual(await page.locator('#pools tbody th').allTextContents(), ['compute'])
      for (const chart of await page.getByRole('img').all())
        assert.match((await chart.getAttribute('aria-label')) ?? '', /now, between/)
      const labels = await page.locator('dt:has(.seen-by), figcaption:has(.seen-by)').allTextContents()
      assert.deepEqual(
        labels.map(label => label.trim().replace(/\s+p50.*/, '')),
        ['p50 in the server', 'p99 in the server', 'Latency in the server, ms'],
      )
      source.play(1, describeTestApp(), { latencyAt: 'client' })
      await page.getByText('p99 at the client').waitFor()
    }),
  )

  test(
    'shows the fault and its remaining time in the place of the note',
    show(async page => {
      source.play(1, undefined, { faults: [fault, { ...fault, id: 2, name: 'over', untilMs: fault.fromMs }] })
      await page.getByText(/^kill-orders, [1-9]\d* s left$/).waitFor()
      assert.equal(await page.locator('#note').isVisible(), false)
      source.play(1)
      await page.locator('#note').waitFor()
    }),
  )

  test(
    'has no figures when another sample begins, or no app is reporting; its time axis moves on',
    show(async page => {
      const figures = () => page.locator('dd span, .share').allTextContents()
      await status(page, 'Live')
      assert.ok(!(await figures()).includes('–'))
      source.tell({ kind: 'silence' })
      await status(page, 'No app is reporting')
      await page.locator('#goodput', { hasText: '–' }).waitFor()
      assert.deepEqual([...new Set(await figures())], ['–'])
      await root(page).evaluate(async ({ ownerDocument: { defaultView: window } }: Dom) => {
        const read = () => window.document.querySelector('#throughput canvas').toDataURL()
        const nextFrame = () => new Promise(resolve => window.requestAnimationFrame(resolve))
        for (const before = read(); read() === before; ) await nextFrame()
      })
      source.play(1)
      await status(page, 'Live')
      source.tell(source.runOf('another test'))
      await page.getByText('another test').waitFor()
      await page.locator('#goodput', { hasText: '–' }).waitFor()
    }),
  )

  test(
    'connects again when the connection is lost, and asks for what it lacks; says when too many pages are open',
    show(async page => {
      const again = page.waitForRequest(request => request.url().includes('/events'))
      source.disconnect()
      await status(page, 'No connection to apm-agent')
      const after = Number(new URL((await again).url()).searchParams.get('after'))
      assert.ok(after > 0)
      await page.getByText('a test').waitFor()
      source.play(1)
      await status(page, 'Live')
      source.tell({ kind: 'full' })
      await status(page, 'Too many live pages are open')
    }),
  )

  test(
    'can be used by keys, keeps the choices in the URL, and leaves the browser its own keys',
    show(async page => {
      await page.keyboard.press('d')
      await page.keyboard.press('r')
      assert.equal(new URL(page.url()).search, '?theme=light&minutes=5')
      await page.keyboard.press('Control+d')
      assert.equal(new URL(page.url()).search, '?theme=light&minutes=5')
    }),
  )

  test(
    'moves its charts rarely for a reader who prefers less motion, and its figures as usual',
    show(
      async page => {
        const chart = page.locator('#throughput [role=img]')
        const before = await chart.getAttribute('aria-label')
        const figure = (await text(page, '#goodput')) as string
        source.play(1)
        await page.locator('#goodput', { hasNotText: figure }).waitFor()
        assert.equal(await chart.getAttribute('aria-label'), before)
        await page.evaluate('globalThis.passedMs = 5000')
        source.play(1)
        await page.locator(`#throughput [role=img]:not([aria-label="${before}"])`).waitFor()
      },
      { reducedMotion: 'reduce' },
      'globalThis.passedMs = 0; performance.now = () => globalThis.passedMs',
    ),
  )
})

describe('the charts of the live page', { skip: missingBrowser }, () => {
  test(
    'have one lane for 15 threads, and one for each of a few',
    show(async page => {
      await showTroubles(page)
      const names = () => page.locator('.lane > :first-child').allTextContents()
      assert.deepEqual(await names(), ['main', `compute × ${THREADS}`, `rendering × ${THREADS}`])
      source.play(1, describeTestApp({ instance: 'next' }))
      await page.getByText('compute 1', { exact: true }).waitFor()
      assert.deepEqual(await names(), ['main', 'compute 1'])
    }),
  )

  test(
    'announce values at a cursor that arrow keys move, and nothing without a key',
    show(async page => {
      await showTroubles(page)
      const live = page.locator('[role=status], [aria-live], output')
      const ids = await live.evaluateAll((all: Dom[]) => all.map(({ id }) => id))
      assert.deepEqual(ids, ['connection', 'announcements'], 'what a screen reader announces by itself')
      const announced = page.locator('#announcements')
      const chart = page.locator('#throughput [role=img]')
      await chart.focus()
      const label = await chart.getAttribute('aria-label')
      await chart.press('ArrowLeft')
      await announced
        .filter({ hasText: /^0:0\d ago\. Good answers a second: [\d.,]+\. Bad answers a second: 1,234\.$/ })
        .waitFor()
      const latest = await announced.textContent()
      await chart.press('ArrowLeft')
      await announced.filter({ hasNotText: latest as string }).waitFor()
      const earlier = await announced.textContent()
      source.play(1, other)
      await page.locator('#goodput', { hasText: source.lastGoodput.toLocaleString('en') }).waitFor()
      assert.deepEqual(
        [await announced.textContent(), await chart.getAttribute('aria-label')],
        [earlier, label],
      )
      assert.equal(await page.locator('#latency .readout').isVisible(), true)
      assert.deepEqual(await findViolations(page), [])
      await chart.press('Escape')
      await page.locator('.readout:visible').first().waitFor({ state: 'detached' })
    }),
  )

  test(
    'show values at the pointer, and list all events beside the charts',
    show(async page => {
      await showTroubles(page)
      await page.locator('#latency .u-over').hover()
      await page.locator('#throughput .readout', { hasText: /good \d/ }).waitFor()
      assert.deepEqual(await page.locator('#events tbody td:nth-child(2)').allTextContents(), [
        'step 1, logging: elsewhere',
        'kill-orders',
      ])
    }),
  )
})

describe('the look of the live page', { skip: missingBrowser }, () => {
  for (const [width, height, colorScheme] of [
    [1920, 1080, 'light'],
    [1440, 900, 'dark'],
    [1280, 720, 'light'],
    [1100, 720, 'dark'],
    [390, 844, 'light'],
  ] as const)
    test(
      `fits ${width} x ${height}, and axe finds nothing wrong in the ${colorScheme} theme, with five digits too, and keeps its layout in every state`,
      show(
        async page => {
          const fits = async (leftOut: string) => {
            assert.deepEqual(await readOverflow(page), [])
            assert.deepEqual(await readCollisions(page, leftOut), [])
          }
          await fits(`${HIDDEN}, .uplot *`)
          assert.deepEqual(await findViolations(page), [])
          await showTroubles(page)
          await fits(`${HIDDEN}, .unseen, .uplot, .uplot *`)
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
          for (const [message, says] of states) {
            source.tell(message)
            await status(page, says)
            assert.deepEqual(await read(), live)
          }
        },
        { viewport: { width, height }, colorScheme },
      ),
    )

  test(
    'shows the focus',
    show(async page => {
      // Charts and lanes have no text.
      const charts = await page.getByRole('img').allTextContents()
      for (const name of ['Theme: auto d', 'Range: 2 min r', ...charts]) {
        await page.keyboard.press('Tab')
        assert.equal((await checkFocus(page)).text, name)
      }
    }),
  )
})
