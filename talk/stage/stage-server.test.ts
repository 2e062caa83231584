import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import type { StageCommand, StageMessage, StageState } from '../../screen/stage-messages.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { Board } from './board.ts'
import { TOUR } from './pictures/picture.ts'
import { readTour } from './recording.fixture.ts'
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
  const tour = readTour()
  for (const message of tour) board.tell(message)
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
  const countSeconds = (all: readonly { readonly kind: string }[]) =>
    all.filter(({ kind }) => kind === 'seconds').length
  assert.equal(countSeconds(messages), countSeconds(tour))
})

test('a recording is read as it was saved, and marked as a replay', t => {
  const file = join(temporaryDirectory(t), 'tour.ndjson')
  const recording = new Recording()
  const tour = readTour()
  for (const message of tour) recording.add(message)
  recording.save(file)
  const { setting, lines } = readRecording(file)
  assert.equal(setting.isReplay, true)
  const isSeconds = ({ kind }: StageMessage) => kind === 'seconds'
  assert.deepEqual(lines.map(({ message }) => message).filter(isSeconds), tour.filter(isSeconds))
})

test('a file that is no recording is a mistake of the user', t => {
  const file = join(temporaryDirectory(t), 'other.txt')
  writeFileSync(file, '{"some":"json"}\n')
  assert.throws(() => readRecording(file), new UserError(`${file} is no recording of npm run stage`))
  assert.throws(() => readRecording(`${file}.gone`), new UserError(`cannot read ${file}.gone (ENOENT)`))
})

test('the terminal names step, scenario and mode, and what is broken', () => {
  const state = readTour().find(message => message.kind === 'state')
  assert.ok(state)
  const steps = [0, 1].map(number => ({ number, name: `n${number}` }))
  const say = (changes: Partial<StageState>) => describeState({ ...state.state, ...changes }, steps)
  assert.equal(say({}), '0 n0 · demo · overload: refuse')
  assert.equal(say({ next: 1 }), '1 n1 starts …')
  const faults = [{ name: 'kill-orders', help: '', isOn: true }]
  assert.equal(say({ step: 1, overload: 'none', faults }), '1 n1 · demo · overload: none · kill-orders')
})

test('a replay jumps to a step, with all that was shown before it', () => {
  const board = new Board()
  const replay = new Replay(readRecording(TOUR), board)
  replay.obey({ kind: 'go', step: 7 })
  assert.equal(board.seconds.at(-1)?.step, 6)
  replay.obey({ kind: 'go', step: 0 })
  assert.equal(board.seconds.length, 0)
  assert.throws(() => replay.obey({ kind: 'fault', name: 'kill-worker' }), /a replay has no processes/)
})
