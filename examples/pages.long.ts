import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { packAll } from '../release/packages/pack.ts'
import { type Dom, missingBrowser, startBrowser } from '../test/browser/browser.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { installPlainService } from './install-plain-service.ts'
import { answerOf, requests } from './router-requests.fixture.ts'

/** The pages of each application, with their statuses. */
const applications = {
  'react-router': { '/': 200, '/orders/7': 200, '/orders/99': 404, '/nowhere': 404 },
  'react-router-framework': { '/': 200, '/orders/7/edit': 200, '/nowhere': 404 },
  mui: { '/': 200, '/?count=3': 200 },
  vite: { '/': 200 },
}

const packed = temporaryDirectory({ after })
before(() => void packAll(packed))

// Warnings of React are in its development mode only.
const env = {
  ...process.env,
  NODE_ENV: 'development',
  PORT: '0',
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

const installed = new Map<string, Promise<string>>()

/** Installs and builds an example outside of this repository, once for all tests. */
function install(name: string): Promise<string> {
  const project = installed.get(name) ?? installNew(name)
  installed.set(name, project)
  return project
}

async function installNew(name: string): Promise<string> {
  const project = join(packed, name)
  const isSource = (path: string) => !/\/(build|packed|node_modules)$/.test(path)
  cpSync(join(import.meta.dirname, name), project, { recursive: true, filter: isSource })
  mkdirSync(join(project, 'packed'))
  cpSync(join(packed, 'main-thread-render-0.1.0.tgz'), join(project, 'packed/main-thread-render-0.1.0.tgz'))
  for (const words of [
    ['install', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ])
    await promisify(execFile)('npm', words, { cwd: project, env })
  return project
}

/** Starts a server in a project. Its URL is the first line that it prints. */
async function startServer(t: TestContext, project: string, file: string, mode = 'development') {
  const server: ChildProcess = spawn(process.execPath, [file], {
    cwd: project,
    env: { ...env, NODE_ENV: mode },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  t.after(async () => {
    server.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream })
  const [url] = (await once(lines, 'line')) as [string]
  return { url, server, ended }
}

/** Starts the server of an example, and one that renders on its main thread. */
const startBoth = (t: TestContext, project: string, mode?: string) =>
  Promise.all([
    startServer(t, project, 'server.js', mode),
    startServer(t, project, join(import.meta.dirname, 'on-main-thread.fixture.js'), mode),
  ])

/** What the browser shows after hydration, and what its console said. */
async function open(page: Page, url: string) {
  const said: string[] = []
  page.on('console', message => said.push(message.text()))
  page.on('pageerror', error => said.push(String(error)))
  await page.goto(url)
  await page.locator('body[data-hydrated=yes]').waitFor({ timeout: 10_000 })
  // React removes the template of a boundary when it shows its content.
  await page.locator('template').waitFor({ state: 'detached', timeout: 10_000 })
  // The head has styles that Emotion adds in the order in which the browser hydrates.
  const html = await page.locator('body').evaluate((body: Dom) => body.outerHTML)
  await page.locator('button').click()
  await page.locator('button', { hasText: '1' }).waitFor({ timeout: 10_000 })
  await page.close()
  return { html, said: said.filter(line => !/React DevTools|Failed to load resource/.test(line)) }
}

// An installation mostly waits.
describe('an application in threads', { skip: missingBrowser, concurrency: 2 }, () => {
  const openPage = startBrowser()

  for (const [name, pages] of Object.entries(applications))
    test(`of ${name} is the same document as on the main thread, and hydrates without a warning`, async t => {
      const project = await install(name)
      const [{ url: inThreads, server, ended }, { url: onMain }] = await startBoth(t, project)
      for (const [path, status] of Object.entries(pages)) {
        const [there, main] = await Promise.all([inThreads, onMain].map(url => fetch(url + path)))
        assert.deepEqual([there?.status, main?.status], [status, status], path)
        assert.equal(withoutNonce(await there?.text()), await main?.text(), path)
        const seen = await Promise.all(
          [inThreads, onMain].map(async url => open(await openPage(), url + path)),
        )
        assert.deepEqual([seen[0]?.said, seen[1]?.said], [[], []], path)
        assert.equal(withoutNonce(seen[0]?.html), seen[1]?.html, path)
      }
      // A page that has begun when the service is told to stop is sent whole.
      const begun = await fetch(`${inThreads}/`)
      server.kill('SIGTERM')
      assert.match(await begun.text(), /<\/html>$/)
      assert.deepEqual(await ended, [0, null])
    })
})

test("React Router's server build answers in threads as on the main thread: status, headers and body", async t => {
  const [inThreads, onMain] = await startBoth(t, await install('react-router-framework'), 'production')
  for (const request of requests) {
    const there = await answerOf(inThreads.url, request)
    assert.equal(there.status, request[1], request[0])
    assert.deepEqual(there, await answerOf(onMain.url, request))
  }
})

test('the plain service, installed from tarballs, answers as before with every offload', t => {
  const { project, npm } = installPlainService(packed)
  t.after(() => rmSync(project, { recursive: true }))
  npm('test')
})

const withoutNonce = (html: string | undefined) => html?.replaceAll(/ nonce="[^"]*"/g, '')
