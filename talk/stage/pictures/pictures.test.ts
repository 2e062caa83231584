import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRecording } from '../recording.ts'
import { PICTURES, pictures, TOUR } from './pictures.ts'

const MOST_BYTES = 400_000
const read = (name: string) => readFileSync(join(PICTURES, name), 'utf8')

for (const [name, draw] of Object.entries(pictures)) {
  test(`docs/pictures/${name} is small enough for a README`, () => {
    assert.ok(statSync(join(PICTURES, name)).size < MOST_BYTES)
  })
  if (name !== 'stage.svg')
    test(`docs/pictures/${name} shows the published run; npm run docs -- pictures draws it`, async () => {
      assert.equal(read(name), await draw())
    })
}

test('the picture of the stage has a frame for each step of the published tour, and stands still for who prefers it', () => {
  const picture = read('stage.svg')
  const { setting } = readRecording(TOUR)
  assert.equal([...picture.matchAll(/<image /g)].length, setting.steps.length)
  assert.match(picture, /@media\(prefers-reduced-motion:reduce\)\{image\{animation:none\}\}/)
})
