import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Dom, root } from './browser.ts'
import { contrast } from './color.ts'

const LEAST_CONTRAST_OF_OUTLINE = 3

/**
 * Elements that are wider than the screen or their box, except the skip link, which is outside until it has focus.
 * @param cut selects elements whose content may be cut, or may be scrolled to
 * @param within selects what is looked at
 */
export const readOverflow = (page: Page, cut = 'option', within = 'body'): Promise<string[]> =>
  root(page).evaluate(
    (html: Dom, [cut, within]: string[]) => {
      const width = html.clientWidth
      const sticksOut = (element: Dom) => {
        const { left, right } = element.getBoundingClientRect()
        return left < -0.5 || right > width + 0.5
      }
      const isCut = ({ clientWidth, scrollWidth }: Dom) => clientWidth > 0 && scrollWidth > clientWidth + 1
      return [html, ...html.querySelectorAll(`${within} *:not(.skip, select, option, script)`)]
        .filter(element => !element.closest(cut) && (sticksOut(element) || isCut(element)))
        .map(({ tagName, className, textContent }) => `${tagName}.${className} ${textContent.slice(0, 40)}`)
    },
    [cut, within],
  )

/**
 * Pairs of elements in the same element that overlap.
 * @param leftOut selects elements that may overlap
 * @param within selects what is looked at
 */
export const readCollisions = (page: Page, leftOut = '.skip', within = 'body'): Promise<string[]> =>
  root(page).evaluate(
    (html: Dom, [leftOut, within]: string[]) => {
      const boxes = [...html.querySelectorAll(`${within} *:not(${leftOut}, option, script)`)]
        .map(element => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0)
      const overlap = (a: Dom, b: Dom) =>
        a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5
      return [...Map.groupBy(boxes, ({ element }) => element.parentElement).values()].flatMap(siblings =>
        siblings.flatMap((one, index) =>
          siblings
            .slice(index + 1)
            .filter(other => overlap(one.box, other.box))
            .map(
              other => `${one.element.outerHTML.slice(0, 60)} and ${other.element.outerHTML.slice(0, 60)}`,
            ),
        ),
      )
    },
    [leftOut, within],
  )

/** Asserts that the focus has an outline. @returns its place among all stops of the page, its text, and whether all of it is in view */
export async function checkFocus(page: Page) {
  const { index, text, outline, ground, isInView } = await root(page).evaluate(
    ({ ownerDocument: document }: Dom) => {
      const { activeElement, defaultView: window } = document
      const { outlineStyle, outlineWidth, outlineColor } = window.getComputedStyle(activeElement)
      let around = activeElement.parentElement
      const groundOf = (element: Dom) => window.getComputedStyle(element).backgroundColor
      while (groundOf(around) === 'rgba(0, 0, 0, 0)') around = around.parentElement
      const { left, top, right, bottom } = activeElement.getBoundingClientRect()
      const stops = [...document.querySelectorAll('a, input:not([type=hidden]), select, button')]
      return {
        index: stops.indexOf(activeElement),
        text: activeElement.textContent.trim(),
        outline: { style: outlineStyle, color: outlineColor, widthPx: Number.parseFloat(outlineWidth) },
        ground: groundOf(around),
        isInView: left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight,
      }
    },
  )
  assert.equal(outline.style, 'solid', text)
  assert.ok(outline.widthPx >= 2 && contrast(outline.color, ground) >= LEAST_CONTRAST_OF_OUTLINE, text)
  return { index, text, isInView }
}
