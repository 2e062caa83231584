import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { wrap } from '../../lib/cli/wrap.ts'
import { html, trusted } from './html.ts'
import type { Report } from './page.ts'
import { themes, withColors } from './palette.ts'
import type { Frame } from './plot.ts'
import type { Plot } from './report-plot.ts'

const SLIDE = { widthPx: 1920, heightPx: 1080, marginPx: 80 } as const
const TITLE_PX = 54
/** Mean width of a bold letter, as a share of its size. */
const LETTER = 0.56
const SUBTITLE_PX = 32
const SOURCE_PX = 28
/** Top and bottom of the plot on a slide. */
const TOP_PX = 240
const BOTTOM_PX = 965
const frame: Frame = {
  widthPx: SLIDE.widthPx - 2 * SLIDE.marginPx,
  heightPx: BOTTOM_PX - TOP_PX,
  textPx: 34,
  isNarrow: false,
}

/** Writes each plot as SVG and as PNG of 1920 x 1080, in both themes and with the project's own font. */
export async function writeSlides({ plots, source, notices }: Report, directory: string): Promise<void> {
  await initialize()
  const fontBuffers = fonts.map(url => readFileSync(new URL(url)))
  mkdirSync(directory, { recursive: true })
  for (const plot of plots) {
    const slide = drawSlide(plot, { source, notices })
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

/**
 * Draws a plot on a slide, as SVG with the names of colours. Its title is what the run found; reasons to doubt the run stand
 * above the source.
 */
export function drawSlide(
  { title, finding, draw }: Plot,
  { source, notices }: Pick<Report, 'source' | 'notices'>,
): string {
  const { widthPx, heightPx, marginPx } = SLIDE
  const lines = wrap(finding ?? title, Math.floor(frame.widthPx / (TITLE_PX * LETTER)))
  const doubts = notices.map(notice => notice.title).join(', ')
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}" font-family="Inter, sans-serif" fill="var(--text)" color="var(--text)">
<rect width="${widthPx}" height="${heightPx}" fill="var(--ground)"/>
${lines.map((line, index) => html`<text x="${marginPx}" y="${TITLE_PX * (1.4 + 1.15 * index)}" font-size="${TITLE_PX}" font-weight="700">${line}</text>`)}
${finding ? html`<text x="${marginPx}" y="${TOP_PX - 18}" font-size="${SUBTITLE_PX}" fill="var(--quiet)">${title}</text>` : null}
${trusted(place(draw(frame)))}
${doubts ? html`<text x="${marginPx}" y="${heightPx - 38 - SOURCE_PX * 1.4}" font-size="${SOURCE_PX}" font-weight="600" fill="var(--warning)">In doubt: ${doubts}</text>` : null}
<text x="${marginPx}" y="${heightPx - 38}" font-size="${SOURCE_PX}" fill="var(--quiet)">${source}</text>
</svg>
`.toString()
}

/** Puts a plot at its place on the slide. Plot sets its font in a style, which a nested image does not inherit. */
const place = (svg: string) =>
  svg
    .replace('<svg ', `<svg x="${SLIDE.marginPx}" y="${TOP_PX}" `)
    .replace(/font-family:[^;"]*/, 'font-family:Inter, sans-serif')
