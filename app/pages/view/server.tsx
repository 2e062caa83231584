import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'

/** The bundle of all JSX for the server, with the React that renders it. */
export { App, Layout } from './app.tsx'
export { ChoiceProvider, ContentContext } from './contexts.tsx'
export { Cards } from './orders.tsx'
export { Part } from './part.tsx'
export { Recommendations } from './recommendations.tsx'
export { Summary } from './summary.tsx'
export const react = { createElement, renderToPipeableStream, renderToString }
