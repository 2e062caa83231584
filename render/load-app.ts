import { createRequire } from 'node:module'
import type { ComponentType } from 'react'
import type { AppModule, LoadedModule, ReactServer } from './app-module.ts'
import { nameFile } from './name-file.ts'
import { withShells } from './shells.ts'

type Parts = Readonly<Record<string, ComponentType<object>>> & Pick<LoadedModule, 'react'>

/** Loads a module whose exports are components, and the React that renders them. @throws what the module throws */
export async function loadParts(url: string): Promise<LoadedModule> {
  const parts = await importNamed<Parts>(url)
  return {
    react: parts.react ?? (await loadReact(url)),
    componentNamed: name => parts[name as string] as ComponentType<object>,
  }
}

/**
 * Loads the module of a page, with `appOptions` for its `setup`, and the React that renders it.
 * @throws what the module throws; TypeError if it has no component
 */
export async function loadApp(url: string, appOptions: unknown): Promise<LoadedModule> {
  const app = await importNamed<AppModule<object>>(url)
  if (!isComponent(app.default))
    throw new TypeError(
      `${url} needs a component of React as its default export, which is ${typeof app.default}`,
    )
  await app.setup?.(appOptions as never)
  const loaded = { ...app, react: app.react ?? (await loadReact(url)), componentNamed: () => app.default }
  if (app.shell) return withShells(loaded, url)
  return loaded
}

/** Imports a module. An error of its syntax, or of that of a module that it imports, names the file. */
async function importNamed<Module>(url: string): Promise<Module> {
  const loading: Promise<Module> = import(url)
  await loading.catch(error => nameFile(error, url))
  return loading
}

/** A function or class, or what `memo`, `forwardRef` and `lazy` make of one. */
const isComponent = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value)

/** Loads the React that this module imports. A workspace may have several, and hooks only work in the one that renders. */
async function loadReact(url: string): Promise<ReactServer> {
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
