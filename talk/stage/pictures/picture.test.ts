import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecording } from '../recording.ts'
import { isOfTour, readPicture, TOUR } from './picture.ts'

const MOST_BYTES = 400_000
const picture = readPicture()

test('the picture of the stage is small enough for a README', () => {
  assert.ok(Buffer.byteLength(picture) < MOST_BYTES)
})

test('the picture of the stage shows the published tour; npm run docs draws it', () => {
  assert.ok(isOfTour(picture))
})

test('a picture of another tour is found', () => {
  assert.ok(!isOfTour(picture.replace(/(?<=data-recording=".)\w/, '#')))
})

test('the picture of the stage has a frame for each step of the published tour, and stands still for who prefers it', () => {
  const { setting } = readRecording(TOUR)
  assert.equal([...picture.matchAll(/<image /g)].length, setting.steps.length)
  assert.match(picture, /@media\(prefers-reduced-motion:reduce\)\{image\{animation:none\}\}/)
})
