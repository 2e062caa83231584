import { onButton } from '../controls.ts'
import { find } from '../dom.ts'
import type { Model } from './model.ts'

/** Panels that stand over the prism when they are open: the button that opens and closes each. */
const panels = [
  { panel: '#faults', opener: '#break' },
  { panel: '#cores', opener: '#more' },
] as const

/** Opens and closes panels, one at a time. @returns a function that shows what can be opened */
export function createPanels(onOpen: () => void): (model: Model) => void {
  const toggle = (chosen: (typeof panels)[number]) => {
    for (const each of panels) {
      const panel = find(each.panel)
      panel.hidden = each !== chosen || !panel.hidden
      find(each.opener).ariaExpanded = String(!panel.hidden)
    }
    onOpen()
  }
  for (const each of panels) onButton(each.opener, () => toggle(each))
  return ({ setting }) => {
    find('#break').hidden = setting?.isReplay ?? true
  }
}
