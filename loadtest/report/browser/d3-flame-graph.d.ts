/** Types for the part of d3-flame-graph that the page uses; the package has none. */
declare module 'd3-flame-graph' {
  import type { HierarchyNode } from 'd3-hierarchy'
  import type { Selection } from 'd3-selection'

  export interface FlameGraph<T> {
    (selection: Selection<HTMLElement, T, null, undefined>): void
    width(px: number): this
    cellHeight(px: number): this
    minFrameSize(px: number): this
    transitionDuration(ms: number): this
    inverted(inverted: boolean): this
    title(text: string): this
    sort(sort: boolean): this
    setColorMapper(color: (node: HierarchyNode<T>) => string): this
    setLabelHandler(label: (node: HierarchyNode<T>) => string): this
    setDetailsElement(element: HTMLElement): this
    onClick(handler: (node: HierarchyNode<T>) => void): this
    search(term: string): void
    clear(): void
    zoomTo(node: HierarchyNode<T>): void
    resetZoom(): void
    update(): void
  }
  // biome-ignore lint/style/noDefaultExport: it is what the library exports
  export default function flamegraph<T>(): FlameGraph<T>
}
