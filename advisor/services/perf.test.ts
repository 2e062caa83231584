import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { readStacks } from './perf.fixture.ts'

/** As `perf script -F ip,sym` prints stacks: the innermost function first. */
const PRINTED = `
	ffffffff8b entry_SYSCALL_64
	    7f1200 JS:*write file:///nowhere/node_modules/pino/pino.js:10:5
	    7f1100 JS:~handle /nowhere/my server.js:3:17
	    7f1000 JS:^parserOnIncoming node:_http_server:1100:26

	     1a200 v8::internal::JsonStringifier::SerializeObject
	    7f1100 JS:~handle /nowhere/my server.js:3:17
	    7f1000 JS:^parserOnIncoming node:_http_server:1100:26

	ffffffff8c do_epoll_wait
	     1a100 uv__io_poll
`

test("the stacks of perf are told apart by the rules that V8's profiles are", () => {
  const profile = readStacks(PRINTED)
  assert.equal(profile.samples?.length, 3)
  const { byPart, nativeMicros } = readSeenTime(profile, createFindOwner('/nowhere'), createConcernOf())
  const parts = [...byPart].map(([{ concern, owner }, micros]) => [concern, owner, Math.round(micros)])
  assert.deepEqual(parts, [
    ['logging', 'pino', 1003],
    ['serialization', 'JSON', 1003],
  ])
  assert.ok(nativeMicros > 1000)
})
