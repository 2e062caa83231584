export { fastifyHandler, httpHandler } from './handlers.ts'
export { createPageRenderer } from './page-renderer.ts'
export type { PageRenderer, PageRendererOptions, Part, Pieces } from './page-types.ts'
export { PartError, type PartErrorCode } from './part-error.ts'
