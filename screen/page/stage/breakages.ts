import type { FaultSwitch, StageCommand } from '../../stage-messages.ts'
import { find, make } from '../dom.ts'
import type { Model } from './model.ts'

/** What can be broken, in the words of the menu; the names of faults are made of a verb and one of these. */
const subjects: Readonly<Record<string, string>> = {
  worker: 'A worker',
  task: 'A worker',
  renderer: 'A renderer',
  part: 'A renderer',
  transport: 'Log process',
  agent: 'Telemetry',
  orders: 'Orders',
  memory: 'Main thread',
  disk: 'Log disk',
}
const verbs: Readonly<Record<string, string>> = {
  kill: 'dies',
  stall: 'hangs',
  loop: 'loops',
  slow: 'slow',
  leak: 'leaks',
  fill: 'full',
}

/** A choice of the menu: its row and its word there, and what it does. */
interface Choice {
  readonly row: string
  readonly word: string
  readonly help: string
  readonly isOn: boolean
  readonly command: StageCommand
}

/** A fault in words: `Orders`, `hangs`. */
function choiceOf({ name, help, isOn }: FaultSwitch): Choice {
  const [verb = '', subject = ''] = name.split('-')
  return {
    row: subjects[subject] ?? name,
    word: verbs[verb] ?? help,
    help,
    isOn,
    command: { kind: 'fault', name },
  }
}

/** The menu of what can be broken. @returns a function that shows the present state */
export function createBreakages(send: (command: StageCommand) => void): (model: Model) => void {
  let shown = ''
  return ({ state, setting }) => {
    const overloads = (setting?.overloads ?? []).map(
      (mode): Choice => ({
        row: 'Overload',
        word: mode,
        help: 'what happens beyond the capacity',
        isOn: mode === state?.overload,
        command: { kind: 'overload', mode },
      }),
    )
    const choices = [...(state?.faults ?? []).map(choiceOf), ...overloads]
    const told = JSON.stringify(choices)
    if (told !== shown) showChoices(choices, send)
    shown = told
  }
}

function showChoices(choices: readonly Choice[], send: (command: StageCommand) => void): void {
  const rows = Map.groupBy(choices, ({ row }) => row)
  find('#faults dl').replaceChildren(
    ...[...rows].map(([row, own]) =>
      make('div', '', make('dt', '', row), make('dd', '', ...own.map(each => createSwitch(each, send)))),
    ),
  )
}

function createSwitch(
  { row, word, help, isOn, command }: Choice,
  send: (command: StageCommand) => void,
): HTMLElement {
  const button = make('button', 'choice', word)
  button.title = help
  button.ariaLabel = `${row} ${word}`
  button.ariaPressed = String(isOn)
  button.addEventListener('click', () => send(command))
  return button
}
