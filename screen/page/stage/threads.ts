import type { Threads } from '../../live-messages.ts'
import type { StageStep } from '../../stage-messages.ts'
import { find, make } from '../dom.ts'
import { groupLanes, type LaneStrip, Lanes } from '../lanes.ts'
import type { Model } from './model.ts'

/** There is room for about six lanes, so the threads of a kind share one from this number on. */
const FOLD_FROM = 3

/** The lanes of the threads, and the work that the main thread has given away. @returns a function that shows the present values */
export function createThreads(): (model: Model) => void {
  const lanes = new Lanes(find('#lanes'), createBar)
  return ({ threads, step }) => {
    if (!threads) return
    for (const bar of lanes.arrange(groupLanes([threads], FOLD_FROM))) bar.show(threads)
    lanes.show(threads)
    if (step) showElsewhere(threads, step)
  }
}

/** A bar for the present share, which can be read from far away. */
function createBar({ element, shareIn }: LaneStrip) {
  const bar = element.appendChild(make('span', 'bar'))
  return {
    show(threads: Threads): void {
      bar.style.scale = `${shareIn(threads) ?? 0} 1`
    },
    remove: () => bar.remove(),
  }
}

/** Work that waits for another thread or process, that of the concern that the present step moves emphasised. */
function showElsewhere({ pools, ledger }: Threads, { move }: StageStep): void {
  const queued = pools.reduce((sum, { queueLength }) => sum + queueLength, 0)
  const onWay = ({ emitted, delivered }: Threads['ledger']['spans']) =>
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
