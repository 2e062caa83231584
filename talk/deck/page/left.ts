/** A slide as it is planned. */
export interface Planned {
  readonly part: string
  readonly seconds: number
}

/**
 * The time that is left for the part of a slide and for the whole talk, such as `Step 1: compute 2:10 · talk 31:05`.
 * @param index the slide that is shown
 * @param passedSeconds time since the talk began
 */
export function describeLeft(
  slides: readonly Planned[],
  index: number,
  passedSeconds: number,
): { readonly text: string; readonly isLate: boolean } {
  const part = slides[index]?.part ?? ''
  const last = slides.findLastIndex(slide => slide.part === part)
  const until = (end: number) => slides.slice(0, end + 1).reduce((sum, { seconds }) => sum + seconds, 0)
  const ofPart = until(last) - passedSeconds
  const ofTalk = until(slides.length - 1) - passedSeconds
  const talk = `talk ${clock(ofTalk)}`
  return part === ''
    ? { text: talk, isLate: false }
    : { text: `${part} ${clock(ofPart)} · ${talk}`, isLate: ofPart < 0 }
}

/** Minutes and seconds, `−0:20` when the time is over. */
function clock(seconds: number): string {
  const whole = Math.abs(Math.round(seconds))
  return `${seconds < 0 ? '−' : ''}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
