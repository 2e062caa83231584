import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'

export { App, Layout } from './app.tsx'
export { ChoiceProvider, ContentContext } from './contexts.tsx'
export { Cards } from './orders.tsx'
export { Part } from './part.tsx'
export { Recommendations } from './recommendations.tsx'
export { Summary } from './summary.tsx'
export const react = { createElement, renderToPipeableStream, renderToString }
