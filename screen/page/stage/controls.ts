import { commandOf } from '../../keys.ts'
import type { StageCommand } from '../../stage-messages.ts'
import { Choices, createTheme, onButton, onKeys } from '../controls.ts'
import { find, make, setText } from '../dom.ts'
import type { Model } from './model.ts'

/** Makes the buttons and the keys of the page. @returns a function that shows the present state */
export function createControls(
  send: (command: StageCommand) => void,
  onLook: () => void,
): (model: Model) => void {
  const showTheme = createTheme(
    new Choices(() => {
      showTheme()
      onLook()
    }),
  )
  showTheme()
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

/** Panels that stand over the prism when they are open: the button that opens and closes each. */
const panels = [
  { panel: '#faults', opener: '#break' },
  { panel: '#cores', opener: '#more' },
] as const

/** Opens and closes panels, one at a time. @returns a function that shows what can be opened */
export function createPanels(onOpen: () => void): (model: Model) => void {
  const toggle = (chosen: (typeof panels)[number]) => {
    for (const each of panels) {
      const panel = find(each.panel)
      panel.hidden = each !== chosen || !panel.hidden
      find(each.opener).ariaExpanded = String(!panel.hidden)
    }
    onOpen()
  }
  for (const each of panels) onButton(each.opener, () => toggle(each))
  return ({ setting }) => {
    find('#break').hidden = setting?.isReplay ?? true
  }
}

const TOKEN = 'stage-token'

/**
 * The token of this tab: it comes after the # of the URL and is removed from there. Without it, the page only watches. A page in
 * a frame of a file, as in the slides, may store nothing.
 */
export function takeToken(): string {
  const given = location.hash.slice(1)
  if (given) history.replaceState(null, '', location.pathname + location.search)
  try {
    if (given) sessionStorage.setItem(TOKEN, given)
    return sessionStorage.getItem(TOKEN) ?? ''
  } catch {
    return given
  }
}

/** Sends a command. @returns why it was refused; empty if it was not */
export async function sendCommand(token: string, command: StageCommand): Promise<string> {
  try {
    const answer = await fetch('/stage', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(command),
    })
    if (answer.ok) return ''
    return (await answer.json()).detail
  } catch {
    return 'the stage does not answer'
  }
}
