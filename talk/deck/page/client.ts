import Reveal from 'reveal.js'
import Notes from 'reveal.js/plugin/notes'

const THEMES = ['auto', 'light', 'dark'] as const
const root = document.documentElement
let theme = 0

// On paper, a slide that shows the live stage would be empty.
if (new URLSearchParams(location.search).get('view') === 'print')
  for (const place of document.querySelectorAll('section:has(.stage)')) place.remove()

const deck = new Reveal({
  plugins: [Notes],
  hash: true,
  history: true,
  controls: false,
  transition: 'none',
  width: 1280,
  height: 720,
  margin: 0.03,
  center: false,
  scrollActivationWidth: null,
  display: 'flex',
  slideNumber: 'c/t',
  // PageUp and PageDown are the keys of a clicker. `d` changes the theme, as on the stage.
  keyboard: { 34: 'next', 33: 'prev', 68: changeTheme },
  // By this and the times of the slides, the speaker notes say how much time is left.
  totalTime: [...document.querySelectorAll<HTMLElement>('section')].reduce(
    (sum, { dataset }) => sum + Number(dataset.timing),
    0,
  ),
})
void deck.initialize()

deck.on('ready', showStage)
deck.on('slidechanged', showStage)

/** Shows the stage on the present slide if it runs: the frame of a server that is absent would be empty. */
async function showStage(): Promise<void> {
  const place = deck.getCurrentSlide()?.querySelector<HTMLElement>('.stage:not(:has(iframe))')
  const url = place?.dataset.url
  if (!place || !url) return
  try {
    await fetch(url, { mode: 'no-cors' })
  } catch {
    return
  }
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = 'The stage'
  place.replaceChildren(frame)
}

function changeTheme(): void {
  theme = (theme + 1) % THEMES.length
  root.dataset.theme = THEMES[theme]
}
