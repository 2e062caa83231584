import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Step, steps } from '../../app/steps.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import { missingBrowser, startBrowser } from './browser.ts'
import { running, startWatched } from './watched-stack.ts'

const openPage = startBrowser()
const monolith = steps[0] as Step
const lastStep = steps.at(-1) as Step

const connection = (page: Page, text: string) => page.locator('#connection').getByText(text).waitFor()

describe('the live page of a stack', { skip: missingBrowser }, () => {
  test('shows when apm-agent is absent or another step runs, and recovers', async t => {
    const apmAgent = { port: await findFreePort() }
    const stack = await startWatched(t, lastStep, { apmAgent })
    const page = await openPage({ baseURL: stack.address('apm-agent') })
    await page.goto('/')
    await running(page, lastStep)

    await t.test('shows when apm-agent is killed or stopped, and recovers', async () => {
      await connection(page, 'Live')
      const pid = () => stack.processes.find(({ name }) => name === 'apm-agent')?.pid as number
      process.kill(pid(), 'SIGKILL')
      await connection(page, 'No connection to apm-agent')
      await connection(page, 'Live')
      process.kill(pid(), 'SIGSTOP')
      await connection(page, 'apm-agent does not respond')
      process.kill(pid(), 'SIGCONT')
      await connection(page, 'Live')
    })

    await t.test('continues and shows the new step when the stack starts again', async () => {
      await running(page, lastStep)
      await stack.stop()
      await connection(page, 'No connection to apm-agent')
      await startWatched(t, monolith, { apmAgent })
      await running(page, monolith)
      await connection(page, 'Live')
      const composition = await page.locator('#composition tbody td').allTextContents()
      assert.deepEqual(composition, Object.values(monolith.composition))
      await page.locator('#events').getByText(`${monolith.number} ${monolith.name}`).waitFor()
    })
  })
})
