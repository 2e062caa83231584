import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { readPublished, withSpectra } from '../../loadtest/report/results.fixture.ts'
import { writeReport } from '../../loadtest/report/write.ts'
import { type Dom, missingBrowser, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { collectTroubles, findViolations } from './troubles.ts'

const openPage = startBrowser()
const reports = ['ladder', 'ladderAt30'] as const

describe('the report in a browser', { skip: missingBrowser }, () => {
  let directory: string
  const urlOf = (report: string) => pathToFileURL(join(directory, report, 'report.html')).href

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'reports-'))
    writeReport(withSpectra(readPublished('ladder')), join(directory, 'ladder'))
    writeReport(readPublished('ladderAt30'), join(directory, 'ladderAt30'))
  })
  after(() => rmSync(directory, { recursive: true }))

  /** Opens a page with all details unfolded. Asserts that it loads nothing else and that the browser has no complaint. */
  async function visit(url: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>) {
    const page = await openPage(options)
    const troubles = await collectTroubles(page)
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.goto(url)
    await page.locator('details').evaluateAll((all: Dom[]) => {
      for (const details of all) details.open = true
    })
    await look(page)
    assert.deepEqual(troubles, [])
    assert.deepEqual(
      requests.filter(each => each !== url && !each.startsWith('data:')),
      [],
    )
  }

  for (const report of reports) {
    // One screen for each form that the page has.
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1280, 'dark'],
      [390, 'light'],
    ] as const)
      test(`of ${report} loads nothing else, fits ${width} pixels, and has nothing that covers another or that axe finds wrong in the ${colorScheme} theme`, async () => {
        await visit(urlOf(report), { viewport: { width, height: 900 }, colorScheme }, async page => {
          assert.deepEqual(await readOverflow(page, '.plot, .table, pre'), [])
          assert.deepEqual(await readCollisions(page, '.skip, .plot *'), [])
          assert.deepEqual(await readCollidingTicks(page), [])
          if (width > 390) assert.deepEqual(await readCutTables(page), [])
          assert.deepEqual(await findViolations(page), [])
        })
      })
  }
})

/** Labels of the ticks of an axis below a plot that run into the label beside them. */
const readCollidingTicks = (page: Page): Promise<string[]> =>
  page.locator('.axis').evaluateAll((axes: Dom[]) =>
    axes.flatMap(axis => {
      const labels = [...axis.querySelectorAll('span')].map(label => ({
        text: label.textContent,
        place: label.getBoundingClientRect(),
      }))
      labels.sort((one, other) => one.place.left - other.place.left)
      return labels.flatMap(({ text, place }, index) => {
        const next = labels[index + 1]
        return next && place.right > next.place.left ? [`${text} and ${next.text}`] : []
      })
    }),
  )

/** Tables that are wider than their place, so that a reader has to scroll sideways. */
const readCutTables = (page: Page): Promise<string[]> =>
  page
    .locator('.table')
    .evaluateAll((tables: Dom[]) =>
      tables
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(table => table.getAttribute('aria-label')),
    )
