import { steadyScenarios } from '../../../stack/scenarios.ts'
import { commandOf } from '../keys.ts'
import type { StageCommand } from '../protocol.ts'
import { find, make, onKey, setText } from './dom.ts'
import type { Model } from './model.ts'

const THEMES = ['auto', 'light', 'dark'] as const

/** Makes the buttons and the keys of the page. @returns a function that shows the present state */
export function createControls(
  send: (command: StageCommand) => void,
  onLook: () => void,
): (model: Model) => void {
  const chosen = new URLSearchParams(location.search)
  const theme = () => THEMES.find(each => each === chosen.get('theme')) ?? 'auto'
  const { dataset } = document.documentElement
  const apply = () => {
    dataset.theme = theme()
    onLook()
  }
  onKey('d', '#theme', () => {
    chosen.set('theme', THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] as string)
    history.replaceState(null, '', `?${chosen}`)
    apply()
  })
  onKey('f', '#full', () => {
    void (document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen())
  })
  find('#tour').addEventListener('click', () => send({ kind: 'tour' }))
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const command = isForControl(event) ? undefined : commandOf(event.key)
    if (!command) return
    event.preventDefault()
    send(command)
  })
  apply()
  const scenarios = steadyScenarios.map(scenario => {
    const button = make('button', 'choice', scenario)
    button.addEventListener('click', () => send({ kind: 'ask', scenario }))
    return { scenario, button }
  })
  find('#scenarios').append(...scenarios.map(({ button }) => button))
  return ({ state }) => {
    setText(find('#tour'), !state?.tour ? 'Tour' : state.tour.isPaused ? 'Go on' : 'Pause')
    for (const { scenario, button } of scenarios) button.ariaPressed = String(scenario === state?.scenario)
  }
}

/** A space on a button presses it. */
const isForControl = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' && target instanceof Element && target.closest('button, summary') !== null
