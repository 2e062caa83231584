import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { html, trusted } from './html.ts'
import type { Report } from './page.ts'
import { themes, withColors } from './palette.ts'
import { type Frame, widthOf } from './plot.ts'
import type { Plot } from './report-plot.ts'

const SLIDE = { widthPx: 1920, heightPx: 1080, marginPx: 80 } as const
const TITLE_PX = 68
const SOURCE_PX = 28
/** Top and bottom of the plot on a slide. */
const TOP_PX = 190
const BOTTOM_PX = 985
const frame: Frame = {
  widthPx: SLIDE.widthPx - 2 * SLIDE.marginPx,
  heightPx: BOTTOM_PX - TOP_PX,
  textPx: 34,
  isNarrow: false,
}

/** Writes each plot as SVG and as PNG of 1920 x 1080, in both themes and with the project's own font. */
export async function writeSlides({ plots, source }: Report, directory: string): Promise<void> {
  await initialize()
  const fontBuffers = fonts.map(url => readFileSync(new URL(url)))
  mkdirSync(directory, { recursive: true })
  for (const plot of plots) {
    const slide = drawSlide(plot, source)
    for (const [theme, suffix] of suffixes) {
      const svg = withColors(slide, themes[theme])
      const path = join(directory, `${plot.id}${suffix}`)
      writeFileSync(`${path}.svg`, svg)
      const image = new Resvg(svg, {
        font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Inter' },
      })
      writeFileSync(`${path}.png`, image.render().asPng())
    }
  }
}

/** The ends of the names of the files in each theme. */
const suffixes = [
  ['light', ''],
  ['dark', '-dark'],
] as const

const fonts = [
  import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
]
const renderer = import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')

let initialized: Promise<void> | undefined
/** The renderer accepts its module only once in a process. */
const initialize = () => {
  initialized ??= initWasm(readFileSync(new URL(renderer)))
  return initialized
}

/** Draws a plot on a slide, as SVG with the names of colours. @param source the line below the plot */
export function drawSlide({ title, draw }: Plot, source: string): string {
  const { widthPx, heightPx, marginPx } = SLIDE
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}" font-family="Inter, sans-serif" fill="var(--text)" color="var(--text)">
<rect width="${widthPx}" height="${heightPx}" fill="var(--ground)"/>
<text x="${marginPx}" y="130" font-size="${Math.min(TITLE_PX, (TITLE_PX * frame.widthPx) / widthOf(title, TITLE_PX))}" font-weight="700">${title}</text>
${trusted(place(draw(frame)))}
<text x="${marginPx}" y="${heightPx - 38}" font-size="${SOURCE_PX}" fill="var(--quiet)">${source}</text>
</svg>
`.toString()
}

/** Puts a plot at its place on the slide. Plot sets its font in a style, which a nested image does not inherit. */
const place = (svg: string) =>
  svg
    .replace('<svg ', `<svg x="${SLIDE.marginPx}" y="${TOP_PX}" `)
    .replace(/font-family:[^;"]*/, 'font-family:Inter, sans-serif')
