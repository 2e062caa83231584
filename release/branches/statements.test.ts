import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsOf } from './statements.ts'

const source = `/** What the file is for. */

import protobuf, { type Root } from 'protobufjs'
import { a as b, type C } from './a.ts'

// A comment belongs to what follows.
const { d, e: f } = b()
export type C2 = C & {
  b: string
}

const text = \`
const insideOfText = 1
\`

export async function* run() {
  yield* [...text, f.g]
}

start(d)
`

test('a source is the sum of its statements, each with its names and the words that it uses', () => {
  const statements = statementsOf(source)
  assert.equal(statements.map(({ text }) => text).join('\n'), source)
  assert.deepEqual(
    statements.map(({ names }) => names),
    [['protobuf', 'Root'], ['b', 'C'], ['d', 'f'], ['C2'], ['text'], ['run'], []],
  )
  assert.deepEqual(
    [...(statements[1]?.from?.names ?? [])],
    [
      ['b', 'a'],
      ['C', 'C'],
    ],
  )
  const [, , , , , run, start] = statements
  assert.ok(run?.words.has('text') && run.words.has('f') && !run.words.has('g'))
  assert.ok(start?.words.has('start') && start.words.has('d'))
})
