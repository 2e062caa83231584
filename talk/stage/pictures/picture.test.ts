import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecording } from '../recording.ts'
import { readPicture, TOUR } from './picture.ts'

const MOST_BYTES = 400_000

test('the picture of the stage has a frame for each step of the published tour, stands still for who prefers it, and is small', () => {
  const picture = readPicture()
  const { setting } = readRecording(TOUR)
  assert.equal([...picture.matchAll(/<image /g)].length, setting.steps.length)
  assert.match(picture, /@media\(prefers-reduced-motion:reduce\)\{image\{animation:none\}\}/)
  assert.ok(Buffer.byteLength(picture) < MOST_BYTES)
})
