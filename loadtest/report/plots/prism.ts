import { percent } from '../../../lib/units.ts'
import type { Results } from '../../outcome/results.ts'
import { type Slice, type Spectrum, slicesOf } from '../../spectrum/spectrum.ts'
import { type Html, html } from '../html.ts'
import { prismColors, sliceColors } from '../palette.ts'
import { type Frame, placeLabels, widthOf } from '../plot.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf } from '../rows.ts'
import { splitRows } from './spectrum.ts'

/** Slices with a smaller share of the thread appear only in the table. */
const LEAST_SHARE = 0.005

interface Ray {
  readonly name: Slice
  readonly share: number
}

/** Plots the main thread of the first row as white light that falls through a prism. */
export function prismPlot(results: Results): Plot | null {
  const [row] = splitRows(results)
  if (!row) return null
  const { spectrum } = row
  const slices = slicesOf([spectrum])
  const rays = slices
    .map((name): Ray => ({ name, share: spectrum.shares[name] }))
    .filter(({ share }) => share >= LEAST_SHARE)
  const title = `White light: the main thread of ${row.name}`
  return {
    id: 'prism',
    title,
    summary: `${rays
      .toSorted((a, b) => b.share - a.share)
      .map(({ name, share }) => `${name} ${percent(share)}`)
      .join(', ')} of ${spectrum.cpuMicros.toFixed(0)} µs.`,
    howToRead: `White light is all CPU time of the main thread in a profiled sample of ${spectrum.responses} responses; the thickness of a ray is its share. Colours are concerns, and each of them can leave the main thread; muted colours belong to no concern. Below ${percent(LEAST_SHARE, 1)} a ray is not drawn.`,
    draw: frame => drawPrism(frame, nameOf(row), spectrum, rays),
    data: renderTable(
      title,
      slices.map((name): Ray => ({ name, share: spectrum.shares[name] })),
      [
        { title: 'slice', cell: ({ name }) => name },
        { title: 'share', cell: ({ share }) => percent(share, 1) },
        { title: 'µs a response', cell: ({ share }) => (share * spectrum.cpuMicros).toFixed(1) },
      ],
    ),
  }
}

/** Ratio of height to width. */
const SHAPE = { wide: 0.44, narrow: 1.1 }

/** Places on the prism's sides, as shares of its height: where the light comes in, and between which it goes out. */
const LIGHT = { enters: 0.52, width: 0.07, leavesFrom: 0.4, leavesTo: 0.62 }

function drawPrism(frame: Frame, row: string, { cpuMicros }: Spectrum, rays: readonly Ray[]): string {
  const { widthPx: width, textPx, isNarrow } = frame
  const height = round(frame.heightPx ?? width * (isNarrow ? SHAPE.narrow : SHAPE.wide))
  const sideways = width * (isNarrow ? 0.19 : 0.155)
  const prism: Prism = {
    x: width * (isNarrow ? 0.3 : 0.38),
    top: height * 0.24,
    height: Math.min(sideways * 1.73, height * 0.62),
    half: sideways,
  }
  const labels = rays.map(({ name, share }) => `${name} ${percent(share)}`)
  const labelsX = width - Math.max(...labels.map(label => widthOf(label, textPx))) - textPx * 0.5
  const fan = spread(rays, prism, { x: labelsX - textPx * 1.8, height })
  const labelsY = placeLabels(
    fan.map(({ middle }) => middle),
    textPx * 1.25,
    height - textPx * 0.9,
  )
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-size="${textPx}" font-weight="600">
<rect width="${width}" height="${height}" rx="${textPx * 0.6}" fill="${prismColors.ground}"/>
${drawLight(prism, height)}
<polygon points="${cornersOf(prism)}" fill="none" stroke="${prismColors.light}" stroke-width="${textPx / 5}" stroke-linejoin="round"/>
${fan.map(({ name, points }) => html`<polygon points="${points}" fill="${sliceColors[name].fill}"/>\n`)}
${fan.map(({ name, end, middle }, index) => {
  const y = labelsY[index] as number
  return html`<line x1="${round(end)}" y1="${round(middle)}" x2="${round(labelsX - textPx * 0.3)}" y2="${round(y)}" stroke="${sliceColors[name].fill}" stroke-width="${textPx / 9}"/>
<text x="${round(labelsX)}" y="${round(y)}" dy="0.35em" fill="${prismColors.light}">${labels[index] as string}</text>\n`
})}
<text x="${textPx}" y="${textPx * 1.8}" fill="${prismColors.light}">${row}</text>
<text x="${textPx}" y="${textPx * 3.1}" fill="${prismColors.quiet}">${cpuMicros.toFixed(0)} µs${isNarrow ? null : ' of main-thread time per response'}</text>
</svg>`.toString()
}

/** A triangle whose tip points up. */
interface Prism {
  readonly x: number
  readonly top: number
  readonly height: number
  /** Position of the base. */
  readonly half: number
}

/** A point on the prism's left (-1) or right (1) side, at a share of its height from the tip. */
const onSide = ({ x, top, height, half }: Prism, side: -1 | 1, share: number) =>
  ({ x: x + side * half * share, y: top + height * share }) as const

const cornersOf = (prism: Prism) => polygon([onSide(prism, -1, 0), onSide(prism, -1, 1), onSide(prism, 1, 1)])

/** Draws the light from the left edge up to the prism; inside the prism it spreads and fades. */
function drawLight(prism: Prism, height: number): Html {
  const upper = onSide(prism, -1, LIGHT.enters)
  const lower = onSide(prism, -1, LIGHT.enters + LIGHT.width)
  const rise = (x: number) => x * 0.32
  const width = lower.y - upper.y
  const start = { x: 0, y: Math.min(height * 0.9, upper.y + rise(upper.x)) }
  const beam = [upper, lower, { x: 0, y: start.y + width }, start]
  const within = [upper, lower, onSide(prism, 1, LIGHT.leavesTo), onSide(prism, 1, LIGHT.leavesFrom)]
  return html`<polygon points="${polygon(beam)}" fill="${prismColors.light}"/>
<polygon points="${polygon(within)}" fill="${prismColors.light}" fill-opacity="0.35"/>`
}

/**
 * Draws each ray from its part of the prism's side to its part of the far edge, where there are gaps between the
 * rays.
 */
function spread(rays: readonly Ray[], prism: Prism, far: { x: number; height: number }) {
  const total = rays.reduce((sum, { share }) => sum + share, 0)
  const room = far.height * 0.86
  const gap = (room * 0.2) / rays.length
  const at = (seen: number, index: number) => ({
    near: onSide(prism, 1, LIGHT.leavesFrom + (LIGHT.leavesTo - LIGHT.leavesFrom) * (seen / total)),
    far: { x: far.x, y: far.height * 0.06 + (index + 0.5) * gap + (seen / total) * room * 0.8 },
  })
  let seen = 0
  return rays.map(({ name, share }, index) => {
    const upper = at(seen, index)
    seen += share
    const lower = at(seen, index)
    const middle = (upper.far.y + lower.far.y) / 2
    return { name, middle, end: far.x, points: polygon([upper.near, upper.far, lower.far, lower.near]) }
  })
}

const polygon = (points: readonly { x: number; y: number }[]) =>
  points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')

const round = (px: number) => Math.round(px * 10) / 10
