import { createRequire } from 'node:module'
import type { ReactServer } from './app-module.ts'

/**
 * Loads the React that a module of the service imports. A workspace may have several, and hooks only work in the one that
 * renders.
 * @param url the module
 */
export async function loadReact(url: string): Promise<ReactServer> {
  const [{ createElement }, server] = requireFrom(url) ?? (await Promise.all(besideThis()))
  return { createElement, ...server }
}

type React = readonly [Pick<ReactServer, 'createElement'>, Omit<ReactServer, 'createElement'>]

/** @returns undefined if the module has no React in a folder above, because it is a bundle or no file */
function requireFrom(url: string): React | undefined {
  try {
    const require = createRequire(url)
    return [require('react'), require('react-dom/server')]
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const absent = new Set(['MODULE_NOT_FOUND', 'ERR_INVALID_ARG_VALUE'])

const besideThis = () => [import('react'), import('react-dom/server')] as unknown as React
