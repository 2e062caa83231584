import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { makeSlides } from '../../talk/deck/slides.ts'
import { renderDeck } from '../../talk/deck/write.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { collectTroubles, findViolations } from './troubles.ts'

const openPage = startBrowser()
const DIFF = `diff --git a/app/a.ts b/app/a.ts
--- a/app/a.ts
+++ b/app/a.ts
+/** ${'A comment that is long. '.repeat(8)}*/
+export const a = () => import('./b.ts')
-const a = 'b' // what it was
`
const SLIDE = 'section.present'
const SLIDES = { length: '10', stageUrl: 'http://127.0.0.1:1/', diffOf: () => DIFF } as const

describe('the slides of the talk', { skip: missingBrowser }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'deck-'))
  const file = join(directory, 'talk.html')
  const slides = makeSlides(SLIDES)
  before(() => writeFileSync(file, renderDeck(slides, '10', 'a test')))
  after(() => rmSync(directory, { recursive: true }))

  for (const [width, height, colorScheme] of [
    [390, 844, undefined],
    [1280, 720, 'light'],
    [1440, 900, 'dark'],
  ] as const)
    test(`fit ${width} × ${height}, and nothing covers another${colorScheme ? `; axe finds nothing wrong in the ${colorScheme} theme` : ''}`, async () => {
      const page = await openPage({ viewport: { width, height }, ...(colorScheme && { colorScheme }) })
      const troubles = await collectTroubles(page)
      await page.goto(pathToFileURL(file).href)
      for (const { title } of slides) {
        await page.keyboard.press('PageDown')
        await page.locator('section.present h2', { hasText: title }).waitFor()
        if (title.startsWith('Live'))
          await page.locator('section.present').getByText('npm run stage starts what is shown here').waitFor()
        assert.ok(await fitsSlide(page), title)
        assert.deepEqual(await readOverflow(page, '.notes, .notes *', SLIDE), [], title)
        assert.deepEqual(await readCollisions(page, '.notes', SLIDE), [], title)
        if (colorScheme) assert.deepEqual(await findViolations(page), [], title)
      }
      // The library tells each frame that its slide is shown, whatever is in the frame.
      assert.deepEqual(
        troubles.filter(each => !/postMessage|ERR_UNSAFE_PORT/.test(each)),
        [],
      )
      await page.context().close()
    })
})

/** Whether all content of the present slide is on the slide. */
const fitsSlide = (page: Page): Promise<boolean> =>
  root(page).evaluate((html: Dom) => {
    const { bottom, right } = html.querySelector('.slides').getBoundingClientRect()
    return [...html.querySelectorAll('section.present > :not(.notes)')]
      .map(element => element.getBoundingClientRect())
      .every(box => box.bottom <= bottom + 1 && box.right <= right + 1)
  })
