import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { colorDifference, contrast, sights } from '../../test/browser/color.ts'
import { slices } from '../spectrum/spectrum.ts'
import { sliceColors } from './palette.ts'

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
const ratio = (one: string, other: string) => contrast(rgb(one), rgb(other))

/** Those of the report in both themes, and of the prism of the stage, which is dark in both. */
const GROUNDS = ['#ffffff', '#14161a', '#0c0e12']

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
      for (const ground of GROUNDS) {
        assert.ok(ratio(fill, ground) >= 3, `${fill} on ${ground}: ${ratio(fill, ground)}`)
      }
      assert.ok(ratio(ink, fill) >= 4.5, `${ink} on ${fill}: ${ratio(ink, fill)}`)
    })
  }
})
