import type { NumberedExercise } from './exercise.ts'
import { fifo } from './fifo/exercise.ts'
import { kill } from './kill/exercise.ts'
import { omission } from './omission/exercise.ts'
import { pool } from './pool/exercise.ts'
import { predict } from './predict/exercise.ts'
import { render } from './render/exercise.ts'

/** The exercises in their order, which is that of the talk's steps; the last two are about measuring. */
export const exercises: readonly NumberedExercise[] = [pool, fifo, kill, render, predict, omission].map(
  (exercise, index) => ({ ...exercise, number: index + 1 }),
)

/** The exercise with this number or name. */
export const findExercise = (text: string): NumberedExercise | undefined =>
  exercises.find(({ number, name }) => text === name || text === String(number))
