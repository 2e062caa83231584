import type { StageStep, Threads } from '../protocol.ts'
import { find, make, setText } from './dom.ts'
import type { Model } from './model.ts'

/** More lanes than these do not fit; the others are left out, as their pools are alike. */
const MAX_LANES = 6

interface Lane {
  readonly element: HTMLElement
  readonly share: HTMLElement
  readonly bar: HTMLElement
}

/** The lanes of the threads, and the work that the main thread has given away. @returns a function that shows the present values */
export function createThreads(): (model: Model) => void {
  const list = find('#lanes')
  const lanes = new Map<string, Lane>()
  return ({ threads, step }) => {
    const shown = threads?.lanes.slice(0, MAX_LANES) ?? []
    for (const [name, { element }] of lanes)
      if (!shown.some(lane => lane.name === name)) {
        element.remove()
        lanes.delete(name)
      }
    for (const { name, share } of shown) {
      const lane = lanes.get(name) ?? createLane(name)
      lanes.set(name, lane)
      list.append(lane.element)
      lane.bar.style.scale = `${share} 1`
      setText(lane.share, `${Math.round(share * 100)} %`)
    }
    if (threads && step) showElsewhere(threads, step)
  }
}

function createLane(name: string): Lane {
  const bar = make('span', 'bar')
  const share = make('span', 'share')
  const element = make('li', 'lane', make('span', 'name', name), make('span', 'track', bar), share)
  element.dataset.kind = name.replace(/^\d+: /, '').split(' ')[0] as string
  return { element, share, bar }
}

/** Work that waits for another thread or process, that of the concern that the present step moves emphasised. */
function showElsewhere({ pools, ledger }: Threads, { move }: StageStep): void {
  const queued = pools.reduce((sum, { queueLength }) => sum + queueLength, 0)
  const onWay = ({ emitted, delivered }: { emitted: number; delivered: number | null }) =>
    delivered === null ? '–' : Math.max(0, emitted - delivered).toLocaleString('en')
  const rows: readonly (readonly [concern: string, name: string, value: string])[] = [
    ['compute', 'tasks', queued.toLocaleString('en')],
    ['logging', 'log lines', onWay(ledger.logLines)],
    ['apm', 'spans', onWay(ledger.spans)],
  ]
  find('#elsewhere').replaceChildren(
    ...rows.map(([concern, name, value]) => {
      const row = make('div', '', make('dt', '', name), make('dd', '', value))
      if (concern === move?.concern) row.dataset.is = 'moved'
      return row
    }),
  )
}
