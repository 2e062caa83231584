import type { Update } from '../update.ts'
import { Lane } from './lane.ts'
import { groupLanes, type LaneGroup } from './lane-groups.ts'
import type { Points } from './points.ts'

/** A strip for each running thread. The threads of a large pool share one, which the reader can open. */
export class Lanes {
  readonly #parent: HTMLElement
  readonly #onChange: () => void
  readonly #lanes = new Map<string, Lane>()
  /** The kinds of threads whose lane was opened. */
  readonly #open = new Set<string>()

  /** @param onChange called when the lanes have to be drawn again */
  constructor(parent: HTMLElement, onChange: () => void) {
    this.#parent = parent
    this.#onChange = onChange
  }

  /** Shows the figures beside the strips; dashes without a current update. */
  show(update: Update | undefined): void {
    for (const lane of this.#lanes.values()) lane.show(update)
  }

  draw(points: Points, rangeMs: number): void {
    const groups = groupLanes(points.since(points.nowMs - rangeMs))
    const wanted = groups.flatMap(group => this.#lanesOf(group))
    for (const [label, lane] of this.#lanes) {
      if (wanted.includes(lane)) continue
      this.#lanes.delete(label)
      lane.remove()
    }
    for (const [index, { element }] of wanted.entries()) {
      const present = this.#parent.children[index] ?? null
      if (present !== element) this.#parent.insertBefore(element, present)
    }
    for (const lane of wanted) lane.draw(points, rangeMs)
  }

  #lanesOf({ kind, names, isFolded }: LaneGroup): Lane[] {
    const each = () => names.map(name => this.#laneOf(name, kind, [name]))
    if (!isFolded) return each()
    const fold = this.#laneOf(`${kind}, mean of all`, kind, names)
    return this.#open.has(kind) ? [fold, ...each()] : [fold]
  }

  #laneOf(label: string, kind: string, names: readonly string[]): Lane {
    const isFold = names.length > 1
    const fold = isFold ? { isOpen: this.#open.has(kind), onToggle: () => this.#toggle(kind) } : undefined
    const lane = this.#lanes.get(label) ?? new Lane({ label, kind, fold })
    this.#lanes.set(label, lane)
    lane.rename(isFold ? `${kind} × ${names.length}` : label, names)
    return lane
  }

  #toggle(kind: string): void {
    if (!this.#open.delete(kind)) this.#open.add(kind)
    this.#onChange()
  }
}
