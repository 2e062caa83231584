import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultsPath } from '../../loadtest/documents/documents.ts'
import { readResults } from '../../loadtest/outcome/results-file.ts'
import { TOUR } from '../pictures/pictures.ts'
import type { StageMessage } from '../protocol.ts'
import { makeTour } from '../recording.fixture.ts'
import { readRecording } from '../recording.ts'
import { holdAgainst } from './agreement.ts'

const lines = makeTour()
const { setting } = (lines[0] as { message: Extract<StageMessage, { kind: 'setting' }> }).message
const ladder = readResults(resultsPath('ladder'))

test('the published tour contradicts no verdict of the published ladder', () => {
  const contradictions = holdAgainst(readRecording(TOUR), ladder).filter(each => each.isContradiction)
  assert.deepEqual(contradictions, [])
})

test('a tour on which each step costs less contradicts a run in which one costs more', () => {
  const steps = ladder.steps.map(row => {
    const { versusPrevious } = row
    if (row.number !== 3 || !versusPrevious) return row
    const mainThreadMicros = { ...versusPrevious.mainThreadMicros, verdict: 'slower' as const }
    return { ...row, versusPrevious: { ...versusPrevious, mainThreadMicros } }
  })
  const agreements = holdAgainst({ setting, lines }, { steps })
  assert.deepEqual(
    agreements.filter(({ isContradiction }) => isContradiction).map(({ step }) => step),
    ['3 framework'],
  )
  const [first] = agreements
  assert.ok(first?.stage.ci95 && first.stage.ratio && first.stage.ci95[0] < first.stage.ratio)
  assert.ok(first.stage.ratio < 1)
})
