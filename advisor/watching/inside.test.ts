import assert from 'node:assert/strict'
import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { INSIDE_URL, insideExpression } from './inside.ts'

test('functions that watch are in a script whose name profiles show even where V8 has inlined them', async t => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  const scripts: Debugger.ScriptParsedEventDataType[] = []
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params))
  await session.post('Debugger.enable')
  const { result } = await session.post('Runtime.evaluate', { expression: insideExpression() })
  const stop = { objectId: result.objectId as string, functionDeclaration: 'function() { this.stop() }' }
  await session.post('Runtime.callFunctionOn', stop)
  const [inside, ...others] = scripts.filter(({ url }) => url === INSIDE_URL)
  assert.deepEqual(others, [])
  // A name by a comment is lost in inlined functions.
  assert.equal(inside?.hasSourceURL, false)
})
