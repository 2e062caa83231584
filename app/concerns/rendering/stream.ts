import { loadRenderer, streamCall } from '../../../render/execute.ts'
import type { CreateRendering } from './contract.ts'
import { renderOnMainThread } from './on-main-thread.ts'

/** Renders with React's renderToPipeableStream on the main thread. */
export const createRendering: CreateRendering = async ({ rendererFile }) => {
  const renderer = await loadRenderer(rendererFile)
  return renderOnMainThread(call => streamCall(renderer, call))
}
