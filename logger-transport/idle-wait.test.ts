import assert from 'node:assert/strict'
import { once } from 'node:events'
import { watch, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { watchForChange } from './idle-wait.ts'
import { WRITER_FILE } from './protocol.ts'

describe('a reader that sleeps', () => {
  test('is woken by a new line, and not by a sign of life', async t => {
    const directory = temporaryDirectory(t)
    const { signal } = watchForChange([directory], [])
    const any = watch(directory)
    t.after(() => any.close())
    writeFileSync(join(directory, WRITER_FILE), '{}')
    await once(any, 'change')
    await turn()
    assert.equal(signal.aborted, false)
    writeFileSync(join(directory, '1.ndjson'), '')
    await once(signal, 'abort')
  })

  test('is woken by the end of a writer, and watches it no longer', async t => {
    const directory = temporaryDirectory(t)
    const server = createServer(asker => asker.on('error', () => {})).listen(join(directory, 'alive'))
    t.after(() => server.close())
    const connection = connect(join(directory, 'alive'))
    await once(connection, 'connect')
    const listeners = connection.listenerCount('close')
    const { signal } = watchForChange([], [connection])
    connection.destroy()
    await once(signal, 'abort')
    assert.equal(connection.listenerCount('close'), listeners)
  })
})
