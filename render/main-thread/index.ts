export type { AppModule, LoadedPage, LoadRequest, RenderMode } from '../app-module.ts'
export {
  createPageRenderer,
  type PageRenderer,
  type PageRendererOptions,
  type Part,
  type Pieces,
} from './parts-renderer.ts'
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
