import { steadyScenarios } from '../../../stack/scenarios.ts'
import type { StageCommand } from '../protocol.ts'
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

/** Shows one part of the page, for a frame in slides, or all of them. */
function showView(view: string): void {
  const parts = [...document.querySelectorAll<HTMLElement>('main > section:not(#faults)'), find('header')]
  const isPart = parts.some(part => nameOf(part) === view)
  document.documentElement.dataset.view = isPart ? view : 'all'
  for (const part of parts) part.hidden = isPart && nameOf(part) !== view
  find('main').hidden = isPart && view === 'ladder'
  for (const selector of ['#story', '#load', '#scenarios', '#failed', '#noise', '#controls', '#look'])
    find(selector).hidden = isPart
}

const nameOf = (part: HTMLElement): string => part.id || 'ladder'

/** Digits choose a step, arrows and the keys of a presenter's clicker move, `s` is for the requests, a space for the tour. */
function commandOf({ key, target }: KeyboardEvent): StageCommand | undefined {
  if (/^\d$/.test(key)) return { kind: 'go', step: Number(key) }
  if (key === 'PageDown' || key === 'ArrowRight') return { kind: 'move', by: 1 }
  if (key === 'PageUp' || key === 'ArrowLeft') return { kind: 'move', by: -1 }
  if (key === 's') return { kind: 'ask' }
  const isOnControl = target instanceof Element && target.closest('button, summary') !== null
  return key === ' ' && !isOnControl ? { kind: 'tour' } : undefined
}
