const THEMES = ['auto', 'light', 'dark'] as const
const RANGES_MINUTES = [2, 5, 10] as const

/** The choices of the reader. They are part of the URL, so that a reload keeps them and a link contains them. */
export interface View {
  readonly rangeMs: number
}

/**
 * Creates the buttons and their keys.
 * @param onChange called when the charts have to be drawn again
 */
export function createControls(onChange: () => void): View {
  const chosen = new URLSearchParams(location.search)
  const choose = (name: string, value: string, standard: string) => {
    if (value === standard) chosen.delete(name)
    else chosen.set(name, value)
    history.replaceState(null, '', chosen.size > 0 ? `?${chosen}` : location.pathname)
    apply()
    onChange()
  }
  const isTalk = () => chosen.get('layout') === 'talk'
  const theme = () => THEMES.find(each => each === chosen.get('theme')) ?? 'auto'
  const minutes = () =>
    RANGES_MINUTES.find(each => String(each) === chosen.get('minutes')) ?? RANGES_MINUTES[0]

  const actions: Readonly<Record<string, () => void>> = {
    talk: () => choose('layout', isTalk() ? 'all' : 'talk', 'all'),
    full: () => void toggleFullScreen(),
    theme: () => choose('theme', nextOf(THEMES, theme()), 'auto'),
    range: () => choose('minutes', String(nextOf(RANGES_MINUTES, minutes())), String(RANGES_MINUTES[0])),
  }
  const buttons = Object.entries(actions).map(([id, act]) => {
    const button = document.querySelector(`#${id}`) as HTMLButtonElement
    button.addEventListener('click', act)
    return button
  })
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    buttons.find(button => button.ariaKeyShortcuts === event.key)?.click()
  })
  document.addEventListener('fullscreenchange', apply)
  apply()

  function apply(): void {
    const [talk, full, themes, range] = buttons as [HTMLButtonElement, ...HTMLButtonElement[]]
    document.documentElement.dataset.layout = isTalk() ? 'talk' : 'all'
    document.documentElement.dataset.theme = theme()
    talk.ariaPressed = String(isTalk())
    if (full) full.ariaPressed = String(document.fullscreenElement !== null)
    themes?.firstChild?.replaceWith(`Theme: ${theme()} `)
    range?.firstChild?.replaceWith(`Range: ${minutes()} min `)
  }

  return {
    get rangeMs() {
      return minutes() * 60_000
    },
  }
}

const nextOf = <T>(values: readonly T[], value: T): T =>
  values[(values.indexOf(value) + 1) % values.length] as T

const toggleFullScreen = () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
