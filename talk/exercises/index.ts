import type { NumberedExercise } from './exercise.ts'
import { fifo } from './fifo/exercise.ts'
import { kill } from './kill/exercise.ts'
import { omission } from './omission/exercise.ts'
import { pool } from './pool/exercise.ts'
import { predict } from './predict/exercise.ts'
import { pressure } from './pressure/exercise.ts'
import { render } from './render/exercise.ts'
import { slices } from './slices/exercise.ts'
import { uvpool } from './uvpool/exercise.ts'

/**
 * The exercises in their order: first that of the talk's steps, then two about measuring, and three about what threads of ours do
 * not solve.
 */
export const exercises: readonly NumberedExercise[] = [
  pool,
  fifo,
  kill,
  render,
  predict,
  omission,
  slices,
  uvpool,
  pressure,
].map((exercise, index) => ({ ...exercise, number: index + 1 }))

/** The exercise with this number or name. */
export const findExercise = (text: string): NumberedExercise | undefined =>
  exercises.find(({ number, name }) => text === name || text === String(number))
