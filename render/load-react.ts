import type { ReactServer } from './app-module.ts'

/** Loads the React that the service has installed. */
export async function loadReact(): Promise<ReactServer> {
  const [{ createElement }, server] = await Promise.all([import('react'), import('react-dom/server')])
  return { createElement, ...server } as ReactServer
}
