import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readKeys } from '../../lib/cli/keys.ts'
import type { Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import { commandOfKey } from '../../screen/keys.ts'
import type { StageCommand, StageMessage, StageState, StageStep } from '../../screen/stage-messages.ts'
import { Board } from './board.ts'
import type { stageOptions } from './options.ts'
import { Recording, readRecording } from './recording.ts'
import { Replay } from './replay.ts'
import { createStageServer, readStagePage } from './server.ts'
import { startShow } from './show.ts'

const RECORDINGS = join(import.meta.dirname, 'recordings')

const KEYS =
  'keys: 0 to 9 a step, arrows or a clicker the next, s what is asked for, o overload, space the tour, q the end'

type Options = Values<typeof stageOptions>

interface Ends {
  readonly stop: AbortController
  readonly stopRequested: Promise<unknown>
}

/** Shows the steps live until the user stops it. */
export async function runStage(options: Options, ends: Ends & { readonly kill: AbortSignal }): Promise<void> {
  const board = new Board(sayState())
  const recording = new Recording()
  const tell = (message: StageMessage) => {
    recording.add(message)
    board.tell(message)
  }
  const save = () => {
    const file = options.record ?? join(RECORDINGS, `${new Date().toISOString().replaceAll(':', '-')}.ndjson`)
    recording.save(file)
    process.stderr.write(`the tour is in ${file}; npm run stage -- --replay ${file} shows it again\n`)
    if (options.end) ends.stop.abort()
  }
  process.stderr.write('starting the first step and its sidecars …\n')
  const show = await startShow(options, { tell, onTourEnd: save }, ends).catch((error: unknown) => {
    // Ctrl-C also reaches processes that are starting, and ends them. That is no error.
    if (!ends.stop.signal.aborted) throw error
  })
  if (!show) return
  let failure: string | undefined
  try {
    failure = await serve(options, board, command => show.obey(command), ends, show.failed)
  } finally {
    process.stderr.write('ending, when the app has answered what it has accepted; Ctrl-C ends it at once\n')
    await show.stop()
  }
  if (failure) throw new UserError(`${failure}; the others were stopped`)
}

/** Shows a recording until the user stops it. */
export async function runReplay(
  options: Omit<Options, 'replay'> & { readonly replay: string },
  ends: Ends,
): Promise<void> {
  const board = new Board(sayState())
  const replay = new Replay(readRecording(options.replay), board)
  void replay.play(ends.stop.signal)
  await serve(options, board, async command => replay.obey(command), ends)
}

/** @returns a function that says in the terminal what is shown, when that has changed */
function sayState(): (state: StageState, steps: readonly StageStep[]) => void {
  let said = ''
  return (state, steps) => {
    const line = describeState(state, steps)
    if (line !== said) process.stderr.write(`  ${line}\n`)
    said = line
  }
}

/** Such as `3 framework · demo · overload: refuse`; of a step that starts, `3 framework starts …`. */
export function describeState(
  { step, next, scenario, overload, faults }: StageState,
  steps: readonly Pick<StageStep, 'number' | 'name'>[],
): string {
  const nameOf = (number: number) => `${number} ${steps.find(each => each.number === number)?.name ?? ''}`
  if (next !== null) return `${nameOf(next)} starts …`
  const broken = faults.filter(({ isOn }) => isOn).map(({ name }) => name)
  return [nameOf(step), scenario, `overload: ${overload}`, ...broken].join(' · ')
}

/** Serves the page and reads keys until the user stops it, or a process has failed. @returns the failure */
async function serve(
  { stagePort, stageToken }: Pick<Options, 'stagePort' | 'stageToken'>,
  board: Board,
  obey: (command: StageCommand) => Promise<void>,
  { stop, stopRequested }: Ends,
  failed: Promise<string> = new Promise(() => {}),
): Promise<string | undefined> {
  const token = stageToken ?? randomBytes(8).toString('hex')
  const server = createStageServer({
    board,
    page: readStagePage(),
    token,
    obey,
  })
  const url = await listen(server, '127.0.0.1', stagePort, { flag: '--stage-port' })
  process.stderr.write(`  control ${url}/#${token}\n  watch   ${url}/\n`)
  if (process.stdin.isTTY) process.stderr.write(`  ${KEYS}\n`)
  const complain = (error: Error) => process.stderr.write(`${error.message}\n`)
  const releaseKeys = readKeys(
    key => {
      const command = commandOfKey(key)
      if (command) void obey(command).catch(complain)
    },
    () => stop.abort(),
  )
  try {
    return await Promise.race([stopRequested.then(() => undefined), failed])
  } finally {
    releaseKeys()
    board.close()
    await closeServer(server)
  }
}
