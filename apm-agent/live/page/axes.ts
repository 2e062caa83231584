import type UPlot from 'uplot'

/** The least of 1, 1.5, 2, 3, 4, 5, 6, 8 and 10 times a power of ten that is not below the value. */
export function niceMax(value: number | null): number {
  if (!value) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find(each => each * power >= value) ?? 10
  return factor * power
}

/** Five times, counted back from now, so that they stand still while the lines move. */
export function splitTime(_chart: UPlot, _axis: number, min: number, max: number): number[] {
  return [0, 1, 2, 3, 4].map(index => max - ((max - min) * (4 - index)) / 4)
}

export function labelTime({ scales }: UPlot, splits: readonly number[]): string[] {
  const now = scales.x?.max ?? 0
  return splits.map(split => (now - split < 0.5 ? 'now' : `−${formatAgo(now - split)}`))
}

function formatAgo(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export const labelFigures = (_chart: UPlot, splits: readonly number[]): string[] =>
  splits.map(split => split.toLocaleString('en'))
