import { RenderError, type RenderErrorCode } from '../../../render/main-thread/render-error.ts'
import { problemOfComponent } from '../../pages/page-data.ts'
import { Problem, type ProblemCode } from '../../problems.ts'

/** The problem of an error of a render thread. Any other error is itself. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof RenderError)) return error
  const { code, message, cause, componentStack } = error
  if (code === 'RENDER_FAILED' || code === 'BOUNDARY_FAILED') return problemOfComponent(cause, componentStack)
  return new Problem(codes[code] ?? 'INTERNAL_ERROR', undefined, cause ?? message)
}

const codes: Partial<Record<RenderErrorCode, ProblemCode>> = {
  PAGE_LATE: 'ANSWER_LATE',
  BOUNDARY_LATE: 'DEADLINE_PASSED',
  THREAD_DIED: 'PART_FAILED',
  PAGE_CUT: 'PART_FAILED',
  CLIENT_GONE: 'CLIENT_GONE',
  RENDERER_CLOSED: 'NOT_READY',
}
