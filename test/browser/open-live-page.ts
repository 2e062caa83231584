import type { Page } from 'playwright-core'
import type { startLiveSource } from './live-source.ts'
import { collectTroubles } from './troubles.ts'

/** Opens the live page of a source, and waits until it has connected and has shown some updates. */
export async function openLivePage(
  page: Page,
  source: Awaited<ReturnType<typeof startLiveSource>>,
  path = '/',
) {
  const troubles = await collectTroubles(page)
  await page.goto(source.url + path)
  await page.getByText('a test').waitFor()
  const shown = page.locator('#ladder [aria-current]')
  source.play(20)
  await shown.waitFor()
  return { page, troubles }
}
