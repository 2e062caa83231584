import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { IdleWait, type Tellers } from './idle-wait.ts'

/** A reader finds nothing new until it sleeps. Resolves at the beginning of the sleep. */
async function fallAsleep(idle: IdleWait, tellers: Tellers): Promise<{ readonly slept: Promise<void> }> {
  for (;;) {
    const slept = idle.sleep(false, tellers)
    if (idle.isAsleep) return { slept }
    await slept
  }
}

function start(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'idle-wait-'))
  const end = new AbortController()
  t.after(() => {
    end.abort()
    rmSync(directory, { recursive: true })
  })
  return { directory, end, idle: new IdleWait(end.signal) }
}

async function connectToWriter(t: TestContext, directory: string): Promise<Socket> {
  const path = join(directory, 'alive')
  const server = createServer(asker => asker.on('error', () => {})).listen(path)
  t.after(() => server.close())
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(path, resolve)
  t.after(() => socket.destroy())
  await promise
  return socket
}

describe('a reader that sleeps', () => {
  test('is woken by a new file, and polls again', async t => {
    const { directory, idle } = start(t)
    const tellers = { directories: [directory], connections: [] }
    const { slept } = await fallAsleep(idle, tellers)
    writeFileSync(join(directory, '1.log'), 'a line\n')
    await slept
    void idle.sleep(false, tellers)
    assert.ok(!idle.isAsleep)
  })

  test('is woken by the end of a writer', async t => {
    const { directory, idle } = start(t)
    const connection = await connectToWriter(t, directory)
    const { slept } = await fallAsleep(idle, { directories: [directory], connections: [connection] })
    connection.destroy()
    await slept
  })

  test('is woken when it has to end, and does not pause afterwards', async t => {
    const { directory, end, idle } = start(t)
    const tellers = { directories: [directory], connections: [] }
    const { slept } = await fallAsleep(idle, tellers)
    end.abort()
    await slept
    await idle.sleep(false, tellers)
  })
})

test('a reader that is told of no writer polls', async t => {
  const { directory, idle } = start(t)
  for (let poll = 0; poll < 8; poll++) {
    const slept = idle.sleep(false, { directories: [directory], connections: undefined })
    assert.ok(!idle.isAsleep)
    await slept
  }
})
