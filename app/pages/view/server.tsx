import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'

/** The bundle of all JSX for the server, with the React that renders it. */
export { App } from './app.tsx'
export { ChoiceProvider } from './choice.tsx'
export { ContentContext } from './content.tsx'
export { Layout } from './layout.tsx'
export { Cards } from './order-list.tsx'
export { Part } from './part.tsx'
export { Recommendations } from './recommendations.tsx'
export { Summary } from './summary.tsx'
export const react = { createElement, renderToPipeableStream, renderToString }
