import { loadRenderer, renderCall } from '../../../render/execute.ts'
import type { CreateRendering } from './contract.ts'
import { renderOnMainThread } from './on-main-thread.ts'

/** Renders with React's renderToString on the main thread. */
export const createRendering: CreateRendering = async ({ rendererFile }) => {
  const renderer = await loadRenderer(rendererFile)
  return renderOnMainThread(call => renderCall(renderer, call))
}
