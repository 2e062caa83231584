import { find, make, setText } from './dom.ts'
import type { Model } from './model.ts'

/** More lanes than these do not fit; the others are left out, as their pools are alike. */
const MAX_LANES = 6

interface Lane {
  readonly element: HTMLElement
  readonly share: HTMLElement
  readonly bar: HTMLElement
}

/** The lanes of the threads, and all that waits. @returns a function that shows the present values */
export function createThreads(): (model: Model) => void {
  const list = find('#lanes')
  const lanes = new Map<string, Lane>()
  return ({ threads }) => {
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
    if (threads) showWaiting(threads)
  }
}

function createLane(name: string): Lane {
  const bar = make('span', 'bar')
  const share = make('span', 'share')
  const element = make('li', 'lane', make('span', 'name', name), make('span', 'track', bar), share)
  element.dataset.kind = name.replace(/^\d+: /, '').split(' ')[0] as string
  return { element, share, bar }
}

/** Work that has left the main thread and is not done: tasks in queues, and records on their way to their destination. */
function showWaiting({ pools, ledger }: NonNullable<Model['threads']>): void {
  const queued = pools.reduce((sum, { queueLength }) => sum + queueLength, 0)
  const onWay = ({ emitted, delivered }: { emitted: number; delivered: number | null }) =>
    delivered === null ? null : Math.max(0, emitted - delivered)
  const rows: readonly (readonly [string, number | null])[] = [
    ['tasks in queues', queued],
    ['log lines on their way', onWay(ledger.logLines)],
    ['spans on their way', onWay(ledger.spans)],
  ]
  find('#waiting').replaceChildren(
    ...rows.map(([name, count]) =>
      make('div', '', make('dt', '', name), make('dd', '', count?.toLocaleString('en') ?? '–')),
    ),
  )
}
