import type { FaultSwitch, StageCommand } from '../protocol.ts'
import { find, make, setText } from './dom.ts'
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
    showView(chosen.get('view') ?? 'all')
    onLook()
  }
  const look: Readonly<Record<string, () => void>> = {
    d() {
      chosen.set('theme', THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] as string)
      history.replaceState(null, '', `?${chosen}`)
      apply()
    },
    f: () =>
      void (document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen()),
  }
  find('#theme').addEventListener('click', () => look.d?.())
  find('#full').addEventListener('click', () => look.f?.())
  find('#tour').addEventListener('click', () => send({ kind: 'tour' }))
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const command = commandOf(event)
    if (!command) return look[event.key]?.()
    event.preventDefault()
    send(command)
  })
  apply()
  let faults = ''
  return ({ state, setting }) => {
    setText(find('#tour'), !state?.tour ? 'Tour' : state.tour.isPaused ? 'Go on' : 'Pause')
    const told = JSON.stringify(state?.faults)
    if (told !== faults) showFaults(state?.faults ?? [], send)
    faults = told
    find('#faults').hidden = setting?.isReplay ?? true
  }
}

/** Shows one part of the page, for a frame in slides, or all of them. */
function showView(view: string): void {
  const parts = [...document.querySelectorAll<HTMLElement>('main > section'), find('header')]
  const isPart = parts.some(part => nameOf(part) === view)
  document.documentElement.dataset.view = isPart ? view : 'all'
  for (const part of parts) part.hidden = isPart && nameOf(part) !== view
  find('main').hidden = isPart && view === 'ladder'
  for (const selector of ['#load', '#failed', '#controls', '#look']) find(selector).hidden = isPart
}

const nameOf = (part: HTMLElement): string => part.id || 'ladder'

/** Digits choose a step, arrows and the keys of a presenter's clicker move, a space is for the tour. */
function commandOf({ key, target }: KeyboardEvent): StageCommand | undefined {
  if (/^\d$/.test(key)) return { kind: 'go', step: Number(key) }
  if (key === 'PageDown' || key === 'ArrowRight') return { kind: 'move', by: 1 }
  if (key === 'PageUp' || key === 'ArrowLeft') return { kind: 'move', by: -1 }
  const isOnControl = target instanceof Element && target.closest('button, summary') !== null
  return key === ' ' && !isOnControl ? { kind: 'tour' } : undefined
}

function showFaults(faults: readonly FaultSwitch[], send: (command: StageCommand) => void): void {
  const buttons = faults.map(({ name, help, isOn }) => {
    const button = make('button', '', name)
    button.title = help
    button.ariaPressed = String(isOn)
    button.addEventListener('click', () => send({ kind: 'fault', name }))
    return button
  })
  find('#faults div').replaceChildren(...buttons)
}
