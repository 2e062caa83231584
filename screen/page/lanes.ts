import type { Threads } from '../live-messages.ts'
import { make, setText } from './dom.ts'
import { formatPercent } from './format.ts'
import { type LaneGroup, meanShare } from './lane-groups.ts'

/** What stands between the label and the figure of a lane, such as a chart. */
export interface Strip {
  remove(): void
}

/** What the strip of a lane is made for: its label for readers who cannot see it, and the kind of its threads. */
export interface LaneStrip {
  readonly element: HTMLElement
  readonly label: string
  readonly kind: string
  /** The share of a core that the threads of the lane use; null if none of them runs. */
  shareIn(threads: Threads): number | null
}

/** A strip with the share of a core that a thread uses, or that the threads of a fold use on average. */
interface Lane<S extends Strip> {
  readonly strip: S
  /** The names of its threads, which change when a thread ends. */
  names: ReadonlySet<string>
  readonly element: HTMLElement
  readonly label: HTMLElement
  readonly share: HTMLElement
}

/** A lane for each running thread. The threads of a large pool share one. */
export class Lanes<S extends Strip> {
  readonly #parent: HTMLElement
  readonly #createStrip: (lane: LaneStrip) => S
  readonly #lanes = new Map<string, Lane<S>>()

  constructor(parent: HTMLElement, createStrip: (lane: LaneStrip) => S) {
    this.#parent = parent
    this.#createStrip = createStrip
  }

  /** Shows the lanes of some groups, and no others. @returns their strips */
  arrange(groups: readonly LaneGroup[]): readonly S[] {
    const wanted = groups.flatMap(({ kind, names, isFolded }) =>
      isFolded
        ? [this.#laneOf(`${kind}, mean of all`, kind, names)]
        : names.map(name => this.#laneOf(name, kind, [name])),
    )
    for (const [name, lane] of this.#lanes) {
      if (wanted.includes(lane)) continue
      this.#lanes.delete(name)
      lane.strip.remove()
      lane.element.remove()
    }
    for (const [index, { element }] of wanted.entries()) {
      const present = this.#parent.children[index] ?? null
      if (present !== element) this.#parent.insertBefore(element, present)
    }
    return wanted.map(({ strip }) => strip)
  }

  /** Shows the figures beside the strips; dashes without current figures. */
  show(threads: Threads | undefined): void {
    for (const { names, share, element } of this.#lanes.values()) {
      const used = threads ? meanShare(threads, names) : null
      setText(share, used === null ? '–' : `${formatPercent(used)} %`)
      element.classList.toggle('gone', used === null)
    }
  }

  #laneOf(name: string, kind: string, names: readonly string[]): Lane<S> {
    const lane = this.#lanes.get(name) ?? this.#create(name, kind)
    this.#lanes.set(name, lane)
    lane.names = new Set(names)
    setText(lane.label, names.length > 1 ? `${kind} × ${names.length}` : name)
    lane.element.classList.toggle('fold', names.length > 1)
    return lane
  }

  #create(name: string, kind: string): Lane<S> {
    const [label, track, share] = [make('span', ''), make('div', 'strip'), make('span', 'share')]
    const element = make('div', 'lane', label, track, share)
    element.dataset.kind = kind
    // The lane is added to the page later, and the strip measures its place: so it is added at once.
    this.#parent.append(element)
    const shareIn = (threads: Threads) => meanShare(threads, lane.names)
    const strip = this.#createStrip({ element: track, label: name, kind, shareIn })
    const lane: Lane<S> = { element, label, share, names: new Set(), strip }
    return lane
  }
}
