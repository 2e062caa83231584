import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { switches } from '../../app/server/faults/switches.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import type { StageCommand, StageMessage, StageState } from '../../screen/stage-messages.ts'
import { Board } from '../../talk/stage/board.ts'
import { readTour } from '../../talk/stage/recording.fixture.ts'
import { createStageServer, readStagePage } from '../../talk/stage/server.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser.ts'
import { readCollisions, readOverflow } from './layout.ts'
import { collectTroubles, findViolations } from './troubles.ts'

const openPage = startBrowser()
/** Screens of rooms, others whose shape leaves less room, and a phone. */
const screens = [
  { width: 1280, height: 720, colorScheme: 'light' },
  { width: 1920, height: 1080, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: undefined },
  { width: 390, height: 844, colorScheme: undefined },
] as const
const tour = readTour()
const setting = tour.find(message => message.kind === 'setting') as StageMessage & { kind: 'setting' }
/** They end in dots where they are too long. */
const TEXT_WITH_DOTS = '#story p, #noise, #status, #thin, #thin *, .verdict'
const everyFault = Object.entries(switches).map(([name, { help }]) => ({ name, help, isOn: false }))
const faults = [{ name: 'kill-orders', help: 'the upstream is dead', isOn: false }]
const second = (tour.findLast(({ kind }) => kind === 'seconds') as StageMessage & { kind: 'seconds' }).seconds
const last = tour.findLast(message => message.kind === 'state') as StageMessage & { kind: 'state' }

describe('the stage view', { skip: missingBrowser }, () => {
  const board = new Board()
  const obeyed: StageCommand[] = []
  const commands = new EventEmitter()
  const obey = async (command: StageCommand) => {
    if (command.kind === 'fault') throw new Error('orders has just ended')
    obeyed.push(command)
    commands.emit('obeyed')
  }
  const page = readStagePage()
  const server = createStageServer({ board, page, token: 'secret', obey })
  const tell = (state: Partial<StageState>) =>
    board.tell({ kind: 'state', state: { ...last.state, next: null, faults, ...state } })
  let url: string
  before(async () => {
    url = await listen(server, '127.0.0.1', 0)
    for (const message of tour) board.tell(message)
    tell({})
  })
  after(async () => {
    board.close()
    await closeServer(server)
  })

  /** Opens the stage until the end of the test, with the token unless it has another hash. */
  async function open(t: TestContext, hash = '#secret') {
    const opened = await openPage()
    t.after(() => opened.context().close())
    await opened.goto(`${url}/${hash}`)
    await opened.locator('[aria-current="step"]').waitFor()
    return opened
  }

  for (const { width, height, colorScheme } of screens)
    test(`has nothing that sticks out or covers another at ${width} × ${height}, whatever is wrong or open${colorScheme ? `; axe finds nothing wrong in the ${colorScheme} theme` : ''}`, async t => {
      board.tell({ kind: 'noise', reason: null })
      tell({})
      const opened = await openPage({ viewport: { width, height }, ...(colorScheme && { colorScheme }) })
      t.after(() => opened.context().close())
      const troubles = await collectTroubles(opened)
      await opened.goto(`${url}/#secret`)
      await opened.locator('#goodput .bands text.value').last().waitFor()
      if (colorScheme) {
        assert.deepEqual(await readOverflow(opened), [])
        assert.ok(await fitsInHeight(opened))
        assert.deepEqual(await findSmallLetters(opened, height / 40), [])
        assert.deepEqual([await findViolations(opened), troubles], [[], []])
      }
      const read = async () => [
        ...(await readOverflow(opened, TEXT_WITH_DOTS)),
        ...(await readCollisions(opened, 'svg *, .unseen, [data-is="flip"], #outcome, #prism')),
      ]
      const top = async () => (await opened.locator('#cost').boundingBox())?.y
      const before = await top()
      assert.deepEqual(await read(), [])
      board.tell({ kind: 'noise', reason: 'the machine was busy: other processes took 40 % of its CPU time' })
      tell({ faults: everyFault, overload: 'none', failure: 'the app did not start' })
      await opened.getByText('the app did not start').waitFor()
      for (const key of ['b', 'c']) {
        await opened.keyboard.press(key)
        if (key === 'c' && width > 640) await opened.locator('#cores .served').first().waitFor()
        assert.deepEqual(await read(), [], key)
        if (width > 640) assert.equal(await top(), before)
      }
      tell({})
    })

  test('shows the state of the server, and no other: a step that starts, one that fails, a connection that is lost', async t => {
    const opened = await open(t)
    const { steps } = setting.setting
    const now = opened.locator('[aria-current="step"]')
    assert.match((await now.textContent()) as string, new RegExp(`^${last.state.step} `))
    await opened.keyboard.press('0')
    await opened.keyboard.press('PageDown')
    await opened.keyboard.press('s')
    await opened.getByRole('button', { name: 'mix' }).click()
    tell({ next: 0 })
    await opened.getByText('starting …').waitFor()
    assert.deepEqual(obeyed.splice(0), [
      { kind: 'go', step: 0 },
      { kind: 'move', by: 1 },
      { kind: 'ask' },
      { kind: 'ask', scenario: 'mix' },
    ])
    assert.match((await now.textContent()) as string, new RegExp(`^${last.state.step} `))
    tell({ failure: 'app did not start: no memory' })
    await opened.getByText('app did not start: no memory').waitFor()
    tell({ step: 0 })
    await opened.locator('#ladder li[data-is="now"]', { hasText: steps[0]?.name as string }).waitFor()
    await opened.keyboard.press('b')
    await opened.getByRole('button', { name: 'Overload none' }).click()
    while (obeyed.length === 0) await once(commands, 'obeyed')
    assert.deepEqual(obeyed.splice(0), [{ kind: 'overload', mode: 'none' }])
    await opened.getByRole('button', { name: 'Orders dies' }).click()
    await opened.getByText('orders has just ended').waitFor()
    const dots = await opened.locator('#cost .dot').count()
    server.closeAllConnections()
    await opened.getByText('No connection to the stage').waitFor()
    // The page connects again, and is told nothing twice.
    await opened.getByText('orders has just ended').waitFor()
    assert.equal(await opened.locator('#cost .dot').count(), dots)
  })

  test('keeps the bands of each scenario, and shows those of the one that is asked for', async t => {
    const opened = await open(t)
    await opened.locator('#cost .dot').first().waitFor()
    tell({ scenario: 'page' })
    await opened.locator('#cost .dot').first().waitFor({ state: 'detached' })
    assert.equal(await opened.getByRole('button', { name: 'page' }).getAttribute('aria-pressed'), 'true')
    tell({})
    await opened.locator('#cost .dot').first().waitFor()
  })

  test('names a fault to everyone, and counts no second of it', async t => {
    const opened = await open(t, '')
    await opened.locator('#cost .dot').first().waitFor()
    const dots = await opened.locator('#cost .dot').count()
    tell({ faults: [{ name: 'kill-orders', help: 'the upstream is dead', isOn: true }] })
    board.tell({
      kind: 'seconds',
      seconds: second.map(each => ({ ...each, isWarm: false, isBroken: true, good: 0, failed: 7 })),
    })
    await opened.getByText('Broken on purpose: the upstream is dead').waitFor()
    await opened.getByText('0 failed requests, 7 failed while something was broken').waitFor()
    assert.equal(await opened.locator('#cost .dot').count(), dots)
    tell({})
  })

  test('shows the latency instead of the goodput at a fixed rate', async t => {
    board.tell({ kind: 'setting', setting: { ...setting.setting, rate: 300 } })
    const opened = await open(t, '')
    await opened.locator('#latency').waitFor()
    assert.equal(await opened.locator('#goodput').isVisible(), false)
  })

  test('without a token it only watches', async t => {
    const opened = await open(t, '')
    await opened.keyboard.press('1')
    await opened.locator('.rung').first().click()
    assert.equal(await opened.locator('#tour').isVisible(), false)
    assert.deepEqual(obeyed, [])
  })

  test('says how many health checks have failed, what the app does in an overload, and what that brings', async t => {
    const opened = await open(t, '')
    for (const _ of [1, 2, 3])
      board.tell({ kind: 'seconds', seconds: second.map(each => ({ ...each, healthMs: null })) })
    tell({ overload: 'none' })
    await opened.getByText('3 health checks failed: Kubernetes would restart the app').waitFor()
    await opened.locator('#mode[data-is=changed]').getByText('overload: none').waitFor()
    const overloaded = { durationMs: 1000, good: 450, refused: 600, failed: 0 }
    board.tell({ kind: 'seconds', seconds: second.map(each => ({ ...each, ...overloaded })) })
    tell({})
    await opened.getByText('Last second: 450 good answers, 600 refused, 0 failed').waitFor()
    await opened.locator('#health').waitFor({ state: 'hidden' })
  })
})

/** Texts that the last row cannot read. */
const findSmallLetters = (page: Page, leastPixels: number): Promise<string[]> =>
  root(page).evaluate(
    (html: Dom, least: number) =>
      [...html.querySelectorAll('body *')]
        .filter(element =>
          [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()),
        )
        .filter(element => element.checkVisibility() && element.tagName !== 'title')
        .map(element => [
          html.ownerDocument.defaultView.getComputedStyle(element).fontSize,
          element.textContent,
        ])
        .filter(([size]) => Number.parseFloat(size) < least - 0.1)
        .map(([size, text]) => `${text} ${size}`),
    leastPixels,
  )

const fitsInHeight = (page: Page): Promise<boolean> =>
  root(page).evaluate(({ scrollHeight, clientHeight }: Dom) => scrollHeight <= clientHeight)
