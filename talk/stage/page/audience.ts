import { draw, find, onKey, setText } from './dom.ts'
import type { Model } from './model.ts'

/** The dialog with the QR code that brings the audience to its page. @returns a function that shows the present code */
export function createAudience(): (model: Model) => void {
  const dialog = find<HTMLDialogElement>('#audience')
  const button = find<HTMLButtonElement>('#invite')
  onKey('a', '#invite', () => (dialog.open ? dialog.close() : dialog.showModal()))
  let shown: Model['audience']
  return ({ audience }) => {
    button.hidden = audience === undefined
    if (!audience || audience === shown) return
    shown = audience
    setText(find('#audience .url'), audience.url)
    drawCode(find<SVGSVGElement>('#audience svg'), audience.code)
  }
}

function drawCode(svg: SVGSVGElement, code: readonly (readonly boolean[])[]): void {
  svg.setAttribute('viewBox', `0 0 ${code.length} ${code.length}`)
  const modules = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  svg.replaceChildren(draw('path', { d: modules.join('') }))
}
