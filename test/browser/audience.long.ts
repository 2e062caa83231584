import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readPage } from '../../apm-agent/live/page-files.ts'
import { closeServer } from '../../lib/http/close-server.ts'
import { listen } from '../../lib/http/listen.ts'
import { createAudienceServer } from '../../talk/stage/audience/server.ts'
import { AUDIENCE } from '../../talk/stage/page-places.ts'
import { findViolations } from './axe.ts'
import { missingBrowser, startBrowser } from './browser.ts'
import { readOverflow } from './layout.ts'
import { collectTroubles } from './troubles.ts'

const openPage = startBrowser()
const PHONE = { width: 390, height: 844 }

describe('the page of the audience', { skip: missingBrowser }, () => {
  let step = 0
  const server = createAudienceServer({
    page: readPage(AUDIENCE.dist, 'the page of the audience'),
    now: () => ({ step, name: step === 0 ? 'monolith' : 'upstream', costMicros: 1575 }),
    ask: async () => (step === 0 ? 140 : 2.5),
  })
  let url: string
  before(async () => {
    url = await listen(server, '127.0.0.1', 0)
  })
  after(() => closeServer(server))

  for (const colorScheme of ['light', 'dark'] as const)
    test(`shows its reader's own latency at each step, and axe finds nothing wrong, in the ${colorScheme} theme`, async () => {
      step = 0
      const page = await openPage({ viewport: PHONE, colorScheme })
      const troubles = await collectTroubles(page)
      await page.goto(url)
      await page.getByText('Step 0, monolith: a request costs 1,575 µs').waitFor()
      const ask = page.getByRole('button', { name: 'Say hello' })
      await ask.click()
      await page.getByText(/ms, of which the app took 140 ms/).waitFor()
      step = 7
      await page.getByText('Step 7, upstream').waitFor()
      await ask.click()
      await page.getByText(/of which the app took 2.5 ms/).waitFor()
      const rows = await page.locator('tbody tr').allInnerTexts()
      assert.deepEqual(
        rows.map(row => row.replace(/\t[^\t]* ms\t/, '\t…\t')),
        ['0 monolith\t1\t…\t140 ms', '7 upstream\t1\t…\t2.5 ms'],
      )
      assert.deepEqual([await findViolations(page), await readOverflow(page), troubles], [[], [], []])
      await page.context().close()
    })
})
