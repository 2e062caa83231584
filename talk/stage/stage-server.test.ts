import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import type { StageCommand, StageState } from '../../screen/stage-messages.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { Board } from './board.ts'
import { makeTour } from './recording.fixture.ts'
import { Recording, readRecording } from './recording.ts'
import { Replay } from './replay.ts'
import { describeState } from './run.ts'
import { createStageServer } from './server.ts'

async function start(t: TestContext) {
  const board = new Board()
  const obeyed: StageCommand[] = []
  const server = createStageServer({
    board,
    page: new Map(),
    token: 'secret',
    async obey(command) {
      if (command.kind === 'fault') throw new Error('no such fault')
      obeyed.push(command)
    },
  })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(async () => {
    board.close()
    await closeServer(server)
  })
  const send = async (body: string, authorization = 'Bearer secret') => {
    const answer = await fetch(`${url}/stage`, { method: 'POST', headers: { authorization }, body })
    return [answer.status, (await answer.text()).match(/"detail":"([^"]*)/)?.[1]]
  }
  return { url, board, obeyed, send }
}

test('a command needs the token, and must be one', async t => {
  const { send, obeyed } = await start(t)
  assert.deepEqual(await send('{"kind":"go","step":3}'), [204, undefined])
  assert.deepEqual(await send('{"kind":"move","by":-1}'), [204, undefined])
  assert.deepEqual(obeyed, [
    { kind: 'go', step: 3 },
    { kind: 'move', by: -1 },
  ])
  assert.equal((await send('{"kind":"go","step":3}', 'Bearer other'))[0], 401)
  for (const body of [
    '',
    'null',
    '[]',
    '{"kind":"go"}',
    '{"kind":"move","by":2}',
    '{"kind":"fault"}',
    '{"kind":"x"}',
  ])
    assert.deepEqual(await send(body), [400, 'the body is no command of the stage'], body)
  assert.deepEqual(await send('{"kind":"fault","name":"x"}'), [409, 'no such fault'])
  assert.equal(obeyed.length, 2)
})

test('a page that connects late gets the setting first, then the present state and all seconds', async t => {
  const { url, board } = await start(t)
  const tour = makeTour()
  for (const { message } of tour) board.tell(message)
  const { body } = await fetch(`${url}/events`)
  let text = ''
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk)
    if (/"kind":"comparisons".*\n\n$/s.test(text)) break
  }
  const messages = text
    .trim()
    .split('\n\n')
    .map(event => JSON.parse(event.replace(/^(id: \d+\n)?data: /, '')))
  assert.deepEqual([messages[0].kind, messages[1].kind], ['hello', 'setting'])
  const seconds = tour.filter(({ message }) => message.kind === 'seconds')
  assert.equal(messages.filter(({ kind }) => kind === 'seconds').length, seconds.length)
})

test('a recording is read as it was saved, and marked as a replay', t => {
  const file = join(temporaryDirectory(t), 'tour.ndjson')
  const recording = new Recording()
  const messages = makeTour().map(({ message }) => message)
  for (const message of messages) recording.add(message)
  recording.save(file)
  const { setting, lines } = readRecording(file)
  assert.equal(setting.isReplay, true)
  const kept = (kind: string) =>
    lines.filter(({ message }) => message.kind === kind).map(({ message }) => message)
  assert.deepEqual(
    kept('seconds'),
    messages.filter(({ kind }) => kind === 'seconds'),
  )
})

test('a file that is no recording is a mistake of the user', t => {
  const file = join(temporaryDirectory(t), 'other.txt')
  writeFileSync(file, '{"some":"json"}\n')
  assert.throws(() => readRecording(file), new UserError(`${file} is no recording of npm run stage`))
  assert.throws(() => readRecording(`${file}.gone`), new UserError(`cannot read ${file}.gone (ENOENT)`))
})

test('the terminal names step, scenario and mode, and what is broken', () => {
  const state = makeTour().find(({ message }) => message.kind === 'state')?.message
  assert.ok(state?.kind === 'state')
  const steps = [0, 1].map(number => ({ number, name: `n${number}` }))
  const say = (changes: Partial<StageState>) => describeState({ ...state.state, ...changes }, steps)
  assert.equal(say({}), '0 n0 · demo · overload: refuse')
  assert.equal(say({ next: 1 }), '1 n1 starts …')
  const faults = [{ name: 'kill-orders', help: '', isOn: true }]
  assert.equal(say({ step: 1, overload: 'none', faults }), '1 n1 · demo · overload: none · kill-orders')
})

test('a replay jumps to a step, with all that was shown before it', () => {
  const lines = makeTour()
  const [first] = lines
  assert.ok(first?.message.kind === 'setting')
  const board = new Board()
  const replay = new Replay({ setting: first.message.setting, lines: lines.slice(1) }, board)
  const last = first.message.setting.steps.at(-1)?.number ?? 0
  replay.obey({ kind: 'go', step: last })
  assert.equal(board.seconds.at(-1)?.step, Math.max(0, last - 1))
  replay.obey({ kind: 'go', step: 0 })
  assert.equal(board.seconds.length, 0)
  assert.throws(() => replay.obey({ kind: 'fault', name: 'kill-worker' }), /a replay has no processes/)
})
