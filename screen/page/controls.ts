import { find } from './dom.ts'

const THEMES = ['auto', 'light', 'dark'] as const

/** Whether a key is pressed with a modifier, and so belongs to the browser. */
export const isForBrowser = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey

/** Calls `act` with the keys without modifiers. */
export function onKeys(act: (event: KeyboardEvent) => void): void {
  document.addEventListener('keydown', event => {
    if (!isForBrowser(event)) act(event)
  })
}

/** Acts on a click on a button, and on the key that the button names, while the button is visible. */
export function onButton(selector: string, act: () => void): HTMLButtonElement {
  const button = find<HTMLButtonElement>(selector)
  button.addEventListener('click', act)
  onKeys(({ key }) => {
    if (key === button.ariaKeyShortcuts && button.checkVisibility()) act()
  })
  return button
}

/** Choices of the reader. They are part of the URL, so that a reload keeps them and a link contains them. */
export class Choices {
  readonly #chosen = new URLSearchParams(location.search)
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** The choice of a name; the first value if there is none. */
  get<T extends string>(name: string, values: readonly [T, ...T[]]): T {
    return values.find(each => each === this.#chosen.get(name)) ?? values[0]
  }

  /** Chooses the next value. */
  next<T extends string>(name: string, values: readonly [T, ...T[]]): void {
    const next = values[(values.indexOf(this.get(name, values)) + 1) % values.length]
    if (next === undefined || next === values[0]) this.#chosen.delete(name)
    else this.#chosen.set(name, next)
    history.replaceState(null, '', this.#chosen.size > 0 ? `?${this.#chosen}` : location.pathname)
    this.#onChange()
  }
}

/** Makes the button and the key of the theme. @returns a function that shows the present choice */
export function createTheme(choices: Choices): () => void {
  const button = onButton('#theme', () => choices.next('theme', THEMES))
  return () => {
    const chosen = choices.get('theme', THEMES)
    document.documentElement.dataset.theme = chosen
    button.firstChild?.replaceWith(`Theme: ${chosen} `)
  }
}
