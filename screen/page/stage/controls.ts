import { commandOf } from '../../keys.ts'
import type { StageCommand } from '../../stage-messages.ts'
import { Choices, createLook, onKeys } from '../controls.ts'
import { find, make, setText } from '../dom.ts'
import type { Model } from './model.ts'

/** Makes the buttons and the keys of the page. @returns a function that shows the present state */
export function createControls(
  send: (command: StageCommand) => void,
  onLook: () => void,
): (model: Model) => void {
  const showLook = createLook(
    new Choices(() => {
      showLook()
      onLook()
    }),
  )
  showLook()
  find('#tour').addEventListener('click', () => send({ kind: 'tour' }))
  onKeys(event => {
    const command = isForControl(event) ? undefined : commandOf(event.key)
    if (!command) return
    event.preventDefault()
    send(command)
  })
  let shown: readonly string[] = []
  return ({ state, setting }) => {
    if (setting && setting.scenarios !== shown) {
      shown = setting.scenarios
      find('#scenarios').replaceChildren(...shown.map(scenario => createChoice(scenario, send)))
    }
    setText(find('#tour'), !state?.tour ? 'Tour' : state.tour.isPaused ? 'Go on' : 'Pause')
    for (const button of find('#scenarios').children)
      button.ariaPressed = String(button.textContent === state?.scenario)
  }
}

function createChoice(scenario: string, send: (command: StageCommand) => void): HTMLElement {
  const button = make('button', 'choice', scenario)
  button.addEventListener('click', () => send({ kind: 'ask', scenario }))
  return button
}

/** A space on a button presses it. */
const isForControl = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' && target instanceof Element && target.closest('button, summary') !== null
