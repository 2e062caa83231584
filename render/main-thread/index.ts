export type { AppModule, LoadedPage, LoadRequest, RenderMode } from '../app-module.ts'
export { fastifyHandler, httpHandler } from './handlers.ts'
export { PartError, type PartErrorCode } from './part-error.ts'
export type { PageRenderer, PageRendererOptions, Part, Pieces } from './part-types.ts'
export { createPageRenderer } from './parts-renderer.ts'
export { RenderError, type RenderErrorCode } from './render-error.ts'
export { createRenderer, type Renderer } from './renderer.ts'
export type {
  CloseOptions,
  OpenPage,
  PageHead,
  PageRequest,
  PageSink,
  PageThreads,
  PageTimes,
  RendererOptions,
  StreamedPage,
} from './renderer-types.ts'
