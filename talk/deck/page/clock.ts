import type Reveal from 'reveal.js'
import { describeLeft, type Planned } from './left.ts'

/** Shows the time that is left for the part of the present slide and for the talk, from the first step forward on. */
export function createClock(deck: InstanceType<typeof Reveal>, isShown: boolean): { toggle(): void } {
  const element = document.querySelector('#clock') as HTMLElement
  let startedAtMs: number | undefined
  element.hidden = !isShown
  deck.on('slidechanged', () => {
    startedAtMs ??= performance.now()
    show()
  })
  setInterval(show, 1000)

  function show(): void {
    if (element.hidden) return
    const planned = (deck.getSlides() as HTMLElement[]).map(
      ({ dataset }): Planned => ({
        part: dataset.part ?? '',
        seconds: Number(dataset.timing),
      }),
    )
    const passedSeconds = startedAtMs === undefined ? 0 : (performance.now() - startedAtMs) / 1000
    const { text, isLate } = describeLeft(planned, deck.getSlidePastCount(), passedSeconds)
    element.textContent = text
    element.dataset.is = isLate ? 'late' : 'good'
  }

  return {
    toggle() {
      element.hidden = !element.hidden
      show()
    },
  }
}
