import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'

/** The bundle of all JSX for the server, with the React that renders it. */
export { App, type AppProps } from './app.tsx'
export const react = { createElement, renderToPipeableStream, renderToString }
