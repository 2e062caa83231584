import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { colorDifference, contrast, sights } from '../../test/browser/color.ts'
import { slices } from '../spectrum/spectrum.ts'
import { sliceColors, themes } from './palette.ts'

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
const ratio = (one: string, other: string) => contrast(rgb(one), rgb(other))

/** The ground of the prism of the stage, which is dark in both themes. */
const PRISM_GROUND = '#0c0e12'

/** Two colours beside each other are clearly different from this distance on. */
const LEAST_DIFFERENCE = 9

describe('the colours', () => {
  for (const sight of Object.keys(sights) as (keyof typeof sights)[]) {
    test(`of slices can be told apart by people with ${sight} sight`, () => {
      const close = slices.flatMap((one, index) =>
        slices.slice(index + 1).flatMap(other => {
          const difference = colorDifference(sliceColors[one].fill, sliceColors[other].fill, sight)
          return difference < LEAST_DIFFERENCE ? [`${one} and ${other}: ${difference.toFixed(1)}`] : []
        }),
      )
      assert.deepEqual(close, [])
    })
  }

  for (const slice of slices) {
    test(`of ${slice} stand out from every ground, and what is written on them from them`, () => {
      const { fill, ink } = sliceColors[slice] ?? assert.fail('palette.ts has no hue left for this concern')
      for (const ground of [themes.light.ground, themes.dark.ground, PRISM_GROUND]) {
        assert.ok(ratio(fill, ground) >= 3, `${fill} on ${ground}: ${ratio(fill, ground)}`)
      }
      assert.ok(ratio(ink, fill) >= 4.5, `${ink} on ${fill}: ${ratio(ink, fill)}`)
    })
  }

  for (const [name, { ground, text, quiet, good, bad, link, mark }] of Object.entries(themes)) {
    test(`of text stand out from the ground of the ${name} theme`, () => {
      for (const color of [text, quiet, good, bad, link]) assert.ok(ratio(color, ground) >= 4.5, color)
      assert.ok(ratio(mark, ground) >= 3)
    })
  }
})
