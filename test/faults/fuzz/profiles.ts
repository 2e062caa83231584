import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConcernOf } from '../../../advisor/concerns/concerns.ts'
import { renderText } from '../../../advisor/output/render.ts'
import { createFindOwner } from '../../../advisor/owners/owner-of.ts'
import { readProfile } from '../../../advisor/spectrum/read-profile.ts'
import { reportOfProfile } from '../../../advisor/spectrum/report.ts'
import { Draw } from './draw.ts'

const HOP = { messageBytes: 4096, aloneMicros: 30, mainThreadMicros: 3, totalMicros: 5 }
const NUMBERS = [0, -1, 1, 0.5, 1e9, 1e300, 2 ** 53, null, '7', undefined, Number.NaN, {}, []]
/** The parts of URLs and paths of scripts. */
const SCHEMES = [
  '',
  ...'node: file:// file:/// file: webpack-internal:///(rsc)/./ webpack:// data:'.split(' '),
]
const SEGMENTS = ['', ...'srv node_modules @a express .. . % %00 net.js __proto__ .next'.split(' ')]
const NAMES = ['f', '', '(root)', '(program)', '(idle)', '(garbage collector)', 'consoleCall', '__proto__']

/** Splits odd profiles, some of which name scripts with odd source maps. @returns the number of profiles */
export async function fuzzProfiles(directory: string, inputs: number, seed: number): Promise<number> {
  const draw = new Draw(seed)
  const concernOf = createConcernOf()
  for (let count = 0; count < inputs; count++) {
    const scripts = draw.chance(0.1) ? [writeScript(directory, draw)] : []
    const given = drawProfile(draw, scripts)
    const what = JSON.stringify(given)
    // A profile comes from a file, so it has what JSON has.
    const profile = readProfile(JSON.parse(what))
    if (!profile) continue
    const findOwner = createFindOwner(directory)
    const report = reportOfProfile('fuzz', profile, { findOwner, concernOf }, HOP)
    const { shares, nativeShare } = report.main
    const total = shares.reduce((sum, { share, gcShare }) => sum + share + gcShare, nativeShare)
    assert.ok(Math.abs(total - 1) < 1e-6, `shares add up to ${total}: ${what}`)
    assert.doesNotMatch(renderText(report), /NaN|Infinity|undefined|null/, what)
  }
  return inputs
}

/** Most are trees; some have a node, an id, or a number that is odd. */
function drawProfile(draw: Draw, scripts: readonly string[]): object {
  const isOdd = draw.chance(0.3)
  const count = 1 + draw.below(draw.chance(0.01) ? 1000 : 12)
  const namesParents = draw.chance(0.5)
  const parents = Array.from({ length: count }, (_, index) =>
    index === 0 ? undefined : 1 + draw.below(index),
  )
  const childrenOf = (id: number) => parents.flatMap((parent, index) => (parent === id ? [index + 1] : []))
  const nodes = parents.map((parent, index) => ({
    id: index + 1,
    callFrame: drawFrame(draw, scripts),
    ...(namesParents ? { parent } : { children: childrenOf(index + 1) }),
  }))
  const odd = (value: unknown) => (isOdd && draw.chance(0.1) ? draw.pick(NUMBERS) : value)
  if (isOdd)
    Object.assign(draw.pick(nodes), {
      [draw.pick(['id', 'parent', 'children', 'callFrame'])]: draw.pick(NUMBERS),
    })
  const samples = Array.from({ length: 1 + draw.below(20) }, () => odd(1 + draw.below(count)))
  const timeDeltas = samples.map(() => odd(draw.below(3000) - 500))
  return { nodes: odd(nodes), samples, timeDeltas, startTime: odd(0), endTime: odd(draw.below(60_000)) }
}

const drawFrame = (draw: Draw, scripts: readonly string[]) => ({
  functionName: draw.pick(NAMES),
  scriptId: draw.pick(['0', '1', 5]),
  url: scripts.length > 0 && draw.chance(0.5) ? draw.pick(scripts) : drawUrl(draw),
  lineNumber: draw.pick([0, 1, -1, 1e9]),
  columnNumber: draw.pick([0, 1, -1, 1e9]),
})

const drawUrl = (draw: Draw): string =>
  draw.chance(0.2) ? draw.text(30) : draw.pick(SCHEMES) + draw.times(6, () => draw.pick(SEGMENTS)).join('/')

/** Writes a script whose source map is odd. @returns its path */
function writeScript(directory: string, draw: Draw): string {
  const path = join(directory, `script-${draw.below(20)}.js`)
  const map = {
    version: 3,
    sources: draw.times(3, () => (draw.chance(0.2) ? draw.pick(NUMBERS) : drawUrl(draw))),
    sourceRoot: draw.chance(0.2) ? draw.pick(NUMBERS) : drawUrl(draw),
    mappings: draw.chance(0.5) ? 'AAAA;AACA,IACIC' : draw.text(40),
    names: [],
    ...(draw.chance(0.1) ? { sections: draw.pick([null, [], [{}], [{ offset: {}, map: {} }]]) } : {}),
  }
  const text = draw.chance(0.1) ? draw.text(60) : JSON.stringify(map)
  const url = `data:application/json;base64,${Buffer.from(text).toString('base64')}`
  writeFileSync(path, `f()\n//# sourceMappingURL=${url}\n`)
  return path
}
