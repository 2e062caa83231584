import type { FaultSwitch, StageCommand } from '../protocol.ts'
import { find, make } from './dom.ts'
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

/** A fault in words: `Orders`, `hangs`. */
function wordsOf({ name, help }: Pick<FaultSwitch, 'name' | 'help'>): readonly [string, string] {
  const [verb = '', subject = ''] = name.split('-')
  return [subjects[subject] ?? name, verbs[verb] ?? help]
}

/** The menu of what can be broken, which stands over the prism. @returns a function that shows the present state */
export function createBreakages(send: (command: StageCommand) => void): (model: Model) => void {
  const menu = find('#faults')
  const opener = find<HTMLButtonElement>('#break')
  const toggle = () => {
    menu.hidden = !menu.hidden
    opener.ariaExpanded = String(!menu.hidden)
  }
  opener.addEventListener('click', toggle)
  document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    if (key === 'b' && opener.checkVisibility() && !ctrlKey && !metaKey && !altKey) toggle()
  })
  let shown = ''
  return ({ state, setting }) => {
    opener.hidden = setting?.isReplay ?? true
    const told = JSON.stringify(state?.faults)
    if (told !== shown) showFaults(state?.faults ?? [], send)
    shown = told
  }
}

function showFaults(faults: readonly FaultSwitch[], send: (command: StageCommand) => void): void {
  const rows = Map.groupBy(faults, fault => wordsOf(fault)[0])
  find('#faults dl').replaceChildren(
    ...[...rows].map(([subject, own]) =>
      make(
        'div',
        '',
        make('dt', '', subject),
        make('dd', '', ...own.map(fault => createSwitch(fault, send))),
      ),
    ),
  )
}

function createSwitch(fault: FaultSwitch, send: (command: StageCommand) => void): HTMLElement {
  const button = make('button', 'choice', wordsOf(fault)[1])
  button.title = fault.help
  button.ariaLabel = wordsOf(fault).join(' ')
  button.ariaPressed = String(fault.isOn)
  button.addEventListener('click', () => send({ kind: 'fault', name: fault.name }))
  return button
}
