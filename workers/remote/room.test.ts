import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Room } from './room.ts'

/** A room that apps press, with jobs of this length. */
function pressed(threads: number, aheadMs: number, runMs?: number): Room {
  const room = new Room(threads, aheadMs)
  if (runMs !== undefined) room.noteRun(runMs)
  room.press()
  room.adapt()
  return room
}

describe('the room of a worker', () => {
  test('is one more job for each thread while apps have no more jobs', () => {
    const room = new Room(2, 20)
    assert.equal(room.adapt(), false)
    assert.equal(room.slots, 4)
  })

  test('is some milliseconds of work while apps have more jobs', () => {
    assert.equal(pressed(1, 20, 4).slots, 6)
    assert.equal(pressed(2, 20, 4).slots, 12)
  })

  test('shrinks in small steps, so that the jobs that it had still fit', () => {
    const room = pressed(1, 20, 1)
    assert.equal(room.slots, 21)
    room.adapt()
    assert.equal(room.slots, 18)
    while (room.adapt());
    assert.equal(room.slots, 2)
  })

  test('is small until a job is done, because jobs may be long', () => {
    assert.equal(pressed(1, 20).slots, 2)
  })
})
