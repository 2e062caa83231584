import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { firstStep, lastStep, type Step } from '../../app/steps.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import { memberOf } from '../stack-parts.ts'
import { start } from '../start-stack.ts'
import { missingBrowser, startBrowser } from './browser.ts'

const openPage = startBrowser()

describe('the live page of a stack', { skip: missingBrowser }, () => {
  test('shows when apm-agent is absent or another step runs, and recovers', async t => {
    const apmAgent = { port: await findFreePort() }
    const startStep = async (t: TestContext, { composition }: Step) =>
      (await start(t, { composition, apmAgent })).stack
    const stack = await startStep(t, lastStep)
    const page = await openPage({ baseURL: stack.address('apm-agent') })
    const connection = (text: string) => page.locator('#connection').getByText(text).waitFor()
    const running = ({ name }: Step) => page.locator('#ladder [aria-current]', { hasText: name }).waitFor()
    await page.goto('/')
    await running(lastStep)

    await t.test('shows when apm-agent is killed or stopped, and recovers', async () => {
      const agent = memberOf(stack, 'apm-agent')
      await connection('Live')
      agent.signal('SIGKILL')
      await connection('No connection to apm-agent')
      await connection('Live')
      agent.signal('SIGSTOP')
      await connection('apm-agent does not respond')
      agent.signal('SIGCONT')
      await connection('Live')
    })

    await t.test('continues and shows the new step when the stack starts again', async () => {
      await running(lastStep)
      await stack.stop()
      await connection('No connection to apm-agent')
      await startStep(t, firstStep)
      await running(firstStep)
      await connection('Live')
      const composition = await page.locator('#composition tbody td').allTextContents()
      assert.deepEqual(composition, Object.values(firstStep.composition))
      await page.locator('#events').getByText(`${firstStep.number} ${firstStep.name}`).waitFor()
    })
  })
})
