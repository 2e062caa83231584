import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { themes } from './palette.ts'
import { makePlots } from './plots/index.ts'
import type { Plot } from './report-plot.ts'
import { readPublished, withSpectra } from './results.fixture.ts'
import { drawSlide } from './slides.ts'
import { describeReport, writeReport } from './write.ts'

describe('slides', () => {
  test('are a PNG of 1920 x 1080 with something on it, and an SVG that needs nothing else, for every plot in both themes', async t => {
    const directory = mkdtempSync(join(tmpdir(), 'slides-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const path = await writeReport(withSpectra(readPublished('ladder')), directory, { slides: true })
    const [, slides = ''] = /^slides: (.*), each plot as/m.exec(describeReport(path, true)) ?? []
    const files = readdirSync(slides)
    assert.equal(files.length, 2 * 2 * 6)
    for (const [file, { ground }] of [
      ['goodput.svg', themes.light],
      ['goodput-dark.svg', themes.dark],
    ] as const)
      assert.match(readFileSync(join(slides, file), 'utf8'), new RegExp(`height="1080" fill="${ground}"`))
    for (const file of files) {
      const content = readFileSync(join(slides, file))
      if (file.endsWith('.png')) assertPicture(content)
      else assertStandsAlone(content.toString())
    }
  })
})

test('a slide says as its title what the run found, and that its run was noisy', () => {
  const plot = { ...makePlots(['main-thread'], readPublished('ladder'))[0] } as Plot
  assert.match(plot.finding ?? '', /^From monolith to upstream, the main-thread cost of a \/demo became /)
  const slide = drawSlide(plot, { source: 'a machine', notices: [{ title: 'Noisy', text: 'very' }] })
  const texts = [...slide.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  assert.ok(texts.join(' ').startsWith(plot.finding as string))
  assert.ok(texts.includes('In doubt: Noisy') && texts.includes('a machine'))
})

function assertPicture(png: Buffer): void {
  assert.equal(png.toString('latin1', 1, 4), 'PNG')
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1920, 1080])
  assert.ok(hasMoreValues(inflateSync(readPixels(png)), 50), 'there is something on it')
}

function hasMoreValues(bytes: Buffer, count: number): boolean {
  const seen = new Set<number>()
  return bytes.some(byte => seen.add(byte).size > count)
}

/** The pixels are in the chunks that are called IDAT: https://www.w3.org/TR/png-3/#5Chunk-layout */
function readPixels(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return Buffer.concat(parts)
}

function assertStandsAlone(svg: string): void {
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 1920 1080"/)
  assert.doesNotMatch(svg, /var\(--(?!plot)|href|NaN|undefined/)
}
