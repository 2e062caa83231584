import flamegraph from 'd3-flame-graph'
import type { HierarchyNode } from 'd3-hierarchy'
import { select } from 'd3-selection'
import type { Frame } from '../call-tree.ts'

/** Shows the flame graph of one thread. The arrow keys move between frames, Enter zooms in, Escape zooms out. */

type Node = HierarchyNode<Frame>

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const place = element('graph')
const details = element('details')
const { tree, fills } = JSON.parse(element('profile').textContent as string) as {
  tree: Frame
  fills: Readonly<Record<string, string>>
}
const ROW_PX = 22

const describe = ({ data }: Node) =>
  `${data.name}, ${data.kind}: ${(data.value / 1000).toFixed(1)} ms, ${((data.value / tree.value) * 100).toFixed(1)} % of the thread`

const chart = flamegraph<Frame>()
  .width(place.clientWidth)
  .cellHeight(ROW_PX)
  .minFrameSize(1)
  .transitionDuration(0)
  .inverted(true)
  .title('')
  .sort(true)
  .setColorMapper(node => fills[node.data.kind] as string)
  .setLabelHandler(describe)
  .setDetailsElement(details)
select(place).datum(tree).call(chart)

let current = select(place).datum() as unknown as Node

const frameOf = (node: Node) =>
  [...place.querySelectorAll<SVGGElement>('g.frame')].find(frame => select(frame).datum() === node)

/** The frame that has the keyboard's focus. Frames that are too thin to be drawn cannot have it. */
function show(node: Node | undefined): void {
  const frame = node && frameOf(node)
  if (!node || !frame) return
  place.querySelector('.current')?.classList.remove('current')
  current = node
  frame.classList.add('current')
  frame.scrollIntoView({ block: 'nearest' })
  details.textContent = describe(node)
}

function sibling(by: number): Node | undefined {
  const drawn = (current.parent?.children ?? []).filter(node => frameOf(node))
  return drawn[drawn.indexOf(current) + by]
}

const keys: Readonly<Record<string, () => void>> = {
  ArrowUp: () => show(current.parent ?? undefined),
  ArrowDown: () => show(current.children?.toSorted((a, b) => b.data.value - a.data.value)[0]),
  ArrowLeft: () => show(sibling(-1)),
  ArrowRight: () => show(sibling(1)),
  Enter() {
    chart.zoomTo(current)
    show(current)
  },
  Escape() {
    chart.resetZoom()
    show(current)
  },
}

place.addEventListener('keydown', event => {
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
})
place.addEventListener('focus', () => show(current))

const search = element<HTMLInputElement>('search')
search.addEventListener('input', () => (search.value ? chart.search(search.value) : chart.clear()))
element('reset').addEventListener('click', () => chart.resetZoom())
addEventListener('resize', () => {
  chart.width(place.clientWidth)
  chart.update()
})
