import { createRequestHandler } from 'react-router'
import * as build from './build/server/index.js'

const answer = createRequestHandler(build)

/**
 * React Router answers every request in the thread: pages, data, forms and redirects. Its `entry.server` renders, so the limits
 * of a page, and what it says of errors, are those of React Router.
 */
export const load = request => answer(request.toRequest())

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default function NoPage() {}
