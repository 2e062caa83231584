/** Lets a reader zoom into the flame graph of one thread, search it, and move in it by the keyboard. */

const find = <E extends HTMLElement>(selector: string) => document.querySelector(selector) as E
const graph = find('#graph')
const details = find('#details')
const root = find('#graph li')
let current = root

/** Frames that are too thin to be seen, or hidden by the zoom, cannot have the keyboard's focus. */
const isSeen = (frame: Element) => frame.clientWidth > 0

/** Makes a frame as wide as the graph. The frames above it stay, and those beside it are hidden. */
function zoomTo(frame: Element): void {
  for (const other of graph.querySelectorAll('.path')) other.classList.remove('path')
  for (let above: Element | null | undefined = frame; above; above = above.parentElement?.closest('li'))
    above.classList.add('path')
}

function describe(frame: Element | null): void {
  if (frame instanceof HTMLElement) details.textContent = frame.title
}

/** Gives a frame the keyboard's focus. */
function show(frame: Element | null | undefined): void {
  if (!frame || !isSeen(frame) || !graph.contains(frame)) return
  current.classList.remove('current')
  current = frame as HTMLElement
  current.classList.add('current')
  current.scrollIntoView({ block: 'nearest' })
  describe(current)
}

function sibling(to: 'previousElementSibling' | 'nextElementSibling'): Element | null {
  let frame = current[to]
  while (frame && !isSeen(frame)) frame = frame[to]
  return frame
}

const widestBelow = () =>
  [...current.querySelectorAll(':scope > ol > li')].toSorted((a, b) => b.clientWidth - a.clientWidth)[0]

const keys: Readonly<Record<string, () => void>> = {
  ArrowUp: () => show(current.parentElement?.closest('li')),
  ArrowDown: () => show(widestBelow()),
  ArrowLeft: () => show(sibling('previousElementSibling')),
  ArrowRight: () => show(sibling('nextElementSibling')),
  Enter: () => zoomTo(current),
  Escape: () => zoomTo(root),
}

const frameOf = ({ target }: Event) => (target as Element).closest('li')

graph.addEventListener('keydown', event => {
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
})
graph.addEventListener('focus', () => show(current))
graph.addEventListener('mouseover', event => describe(frameOf(event)))
graph.addEventListener('click', event => {
  const frame = frameOf(event)
  if (!frame) return
  zoomTo(frame)
  show(frame)
})
find('#reset').addEventListener('click', () => zoomTo(root))
find<HTMLInputElement>('#search').addEventListener('input', ({ target }) => {
  const sought = (target as HTMLInputElement).value.toLowerCase()
  for (const name of graph.querySelectorAll('span'))
    name.classList.toggle('found', sought !== '' && name.textContent.toLowerCase().includes(sought))
})
