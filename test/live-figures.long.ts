import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Step, steps } from '../app/steps.ts'
import type { Measurement } from '../loadtest/generator/protocol.ts'
import { generateLoad } from '../loadtest/sample/generate-load.ts'
import { startGenerator } from '../loadtest/sample/generator-process.ts'
import { selectRow } from '../loadtest/sample/rows.ts'
import { type Dom, missingBrowser, root, startBrowser } from './browser/browser.ts'
import { collectTroubles } from './browser/troubles.ts'
import { running, startWatched } from './browser/watched-stack.ts'
import type { Stack } from './stack-parts.ts'

const openPage = startBrowser()
const TOLERANCE = 0.1
const ATTEMPTS = 3
/** The figures of an update are about this much time before it. */
const UPDATE_MS = 2000
const loadSettings = { scenario: 'demo', warmupSeconds: 2, durationSeconds: 8 } as const
const monolith = steps[0] as Step
const lastStep = steps.at(-1) as Step

/** Collects, in the page, its figures each time they change. */
const collectFigures = (page: Page) =>
  root(page).evaluate(({ ownerDocument: { defaultView: window } }: Dom) => {
    const { document, MutationObserver } = window
    window.figures = []
    const read = (id: string) => Number(document.getElementById(id).textContent.replace(',', ''))
    new MutationObserver(() =>
      window.figures.push({
        atMs: Date.now(),
        goodput: read('goodput'),
        p50: read('p50'),
        p99: read('p99'),
        costMicros: read('cost'),
        utilization: read('utilization') / 100,
      }),
    ).observe(document.getElementById('goodput'), { childList: true })
  })

interface Figures {
  readonly atMs: number
  readonly goodput: number
  readonly p50: number
  readonly p99: number
  readonly costMicros: number
  readonly utilization: number
}

describe('the live page of a stack', { skip: missingBrowser }, () => {
  test('shows what the load generator measures, also after a reload, and requests no other host', async t => {
    const stack = await startWatched(t, lastStep)
    const page = await openPage({ baseURL: stack.address('apm-agent') })
    const troubles = await collectTroubles(page)
    const hosts = new Set<string>()
    page.on('request', request => hosts.add(new URL(request.url()).origin))
    await page.goto('/')
    await running(page, lastStep)
    await collectFigures(page)
    await agree(page, stack, lastStep)
    await page.reload()
    await running(page, lastStep)
    await page.getByText('The charts as a table').click()
    await page.locator('#past tbody tr').nth(10).waitFor()
    assert.deepEqual(troubles, [])
    assert.deepEqual([...hosts], [stack.address('apm-agent')])
  })

  test('shows the latency of clients while the main thread is always busy', async t => {
    const stack = await startWatched(t, monolith)
    const page = await openPage({ baseURL: stack.address('apm-agent') })
    await page.goto('/')
    await running(page, monolith)
    await collectFigures(page)
    await agree(page, stack, monolith, 24)
    await page.getByText('p99 at the client').waitFor()
  })
})

/**
 * Loads the stack and compares the figures. An update can begin half a second before or after the window. If the load on
 * the machine changes at that moment, the figures differ, so that a few windows are tried.
 */
async function agree(page: Page, stack: Stack, step: Step, connections = 10) {
  for (let attempt = 1; ; attempt++) {
    const { measurement, openedAtMs, closedAtMs } = await load(stack, step, connections)
    const all: Figures[] = await page.evaluate('window.figures')
    try {
      return assertAgreement(tile(all, openedAtMs, closedAtMs), measurement)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** The measurement of the load generator, and when its window opened and closed. */
async function load(stack: Stack, step: Step, connections = 10) {
  const settings = { ...loadSettings, connections, beside: null, seed: 1 } as never
  const at = { opened: 0, closed: 0 }
  const note = (event: keyof typeof at) => {
    at[event] = Date.now()
  }
  const row = selectRow(step.name, {})
  const { signal } = new AbortController()
  const generator = startGenerator(signal)
  try {
    const { measurement } = await generateLoad(stack, row, 1, settings, signal, generator, note)
    return { measurement, openedAtMs: at.opened, closedAtMs: at.closed }
  } finally {
    generator.kill()
  }
}

/** Selects the updates whose periods of two seconds, one after the other, cover the window. */
function tile(all: readonly Figures[], openedAtMs: number, closedAtMs: number): Figures[] {
  const tiles = Math.floor((closedAtMs - openedAtMs) / UPDATE_MS)
  const distance = (figures: Figures, atMs: number) => Math.abs(figures.atMs - atMs)
  return Array.from({ length: tiles }, (_, index) => {
    const endMs = closedAtMs - index * UPDATE_MS
    return all.reduce((best, each) => (distance(each, endMs) < distance(best, endMs) ? each : best))
  })
}

function assertAgreement(figures: readonly Figures[], measured: Measurement): void {
  const sum = (read: (each: Figures) => number) => figures.reduce((total, each) => total + read(each), 0)
  const goodput = sum(each => each.goodput)
  const pairs = {
    goodput: [goodput / figures.length, (measured.responses / measured.durationMs) * 1000],
    costMicros: [
      sum(each => each.costMicros * each.goodput) / goodput,
      measured.mainThreadMicros / measured.responses,
    ],
    utilization: [sum(each => each.utilization) / figures.length, measured.mainThreadUtilization],
  } as const
  for (const [name, [shown, expected]] of Object.entries(pairs))
    assert.ok(Math.abs(shown / expected - 1) < TOLERANCE, `${name}: ${shown} shown, ${expected} measured`)
  // A percentile of the whole window lies between the percentiles of its parts.
  for (const name of ['p50', 'p99'] as const) {
    const [shown, expected] = [figures.map(each => each[name]), measured.latencyMs[name]]
    const isBetween =
      expected > Math.min(...shown) * (1 - TOLERANCE) && expected < Math.max(...shown) * (1 + TOLERANCE)
    assert.ok(isBetween, `${name}: ${shown} shown, ${expected} measured`)
  }
}
