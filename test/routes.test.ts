import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type App, startApp } from '../app/app.ts'
import { namesOf } from '../app/concerns.ts'
import { appOptions } from '../app/config.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { createOrdersServer } from '../orders/server.ts'
import { servicePaths } from './faults/fuzz/requests.ts'
import { lightest } from './stack-parts.ts'

/** An app by each framework, in this process. */
const apps = new Map<string, App>()
const orders = createOrdersServer({})
const urlOf = (framework: string) => apps.get(framework)?.addresses.http as string

before(async () => {
  const ordersUrl = await listen(orders, '127.0.0.1', 0)
  for (const framework of namesOf('framework')) {
    const flags = toFlags({ ...lightest, framework, port: 0, adminPort: 0, ordersUrl })
    apps.set(framework, await startApp(parseOptions(appOptions, flags).values))
  }
})
after(async () => {
  await Promise.all([...apps.values()].map(app => app.close()))
  await closeServer(orders)
})

for (const framework of namesOf('framework'))
  test(`every route answers, has a head, and refuses a parameter that it does not know, by framework/${framework}`, async () => {
    const url = urlOf(framework)
    for (const path of servicePaths) {
      const answer = await fetch(url + path)
      assert.equal(answer.status, 200, path)
      await answer.arrayBuffer()
      const head = await fetch(url + path, { method: 'HEAD' })
      assert.deepEqual([head.status, await head.text()], [200, ''])
      const refused = await fetch(`${url}${path}?nothing=1`)
      const { status, code } = (await refused.json()) as { status: number; code: string }
      assert.deepEqual([refused.status, status, code], [400, 400, 'INVALID_QUERY'], path)
    }
  })
