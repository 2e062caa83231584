import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRecording } from '../recording.ts'
import { findOldPictures, PICTURES, pictures, TOUR } from './pictures.ts'

const MOST_BYTES = 400_000
const read = (name: string) => readFileSync(join(PICTURES, name), 'utf8')

for (const name of Object.keys(pictures))
  test(`docs/pictures/${name} is small enough for a README`, () => {
    assert.ok(statSync(join(PICTURES, name)).size < MOST_BYTES)
  })

test('every picture shows the published results; npm run docs draws it', () => {
  assert.deepEqual(findOldPictures(), [])
})

test('a picture of other results is found', () => {
  const falsify = (name: string) => read(name).replace(/\d(?=<\/text>)|(?<=data-recording=".)\w/, '#')
  assert.deepEqual(findOldPictures(falsify), Object.keys(pictures))
})

test('the picture of the stage has a frame for each step of the published tour, and stands still for who prefers it', () => {
  const picture = read('stage.svg')
  const { setting } = readRecording(TOUR)
  assert.equal([...picture.matchAll(/<image /g)].length, setting.steps.length)
  assert.match(picture, /@media\(prefers-reduced-motion:reduce\)\{image\{animation:none\}\}/)
})
