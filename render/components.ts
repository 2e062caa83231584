import { pathToFileURL } from 'node:url'
import type { FunctionComponent } from 'react'
import type { ReactServer } from './app-module.ts'
import type { ComponentCall } from './component-protocol.ts'
import { explainElement } from './explain-element.ts'
import { loadReact } from './load-react.ts'
import type { PartRenderer } from './renderer.ts'

/** A module of components. It has React itself if it is a bundle of both. */
type Components = Readonly<Record<string, FunctionComponent>> & { readonly react?: ReactServer }

/** Loads a module whose exports are components. They render with renderToString. */
export async function loadComponents(file: string): Promise<PartRenderer<ComponentCall>> {
  const components: Components = await import(pathToFileURL(file).href)
  const react = components.react ?? (await loadReact())
  const elementOf = ({ name, input }: ComponentCall) =>
    react.createElement(components[name] as FunctionComponent, input.props)
  return {
    render: call => react.renderToString(elementOf(call)),
    explain: call => explainElement(react, elementOf(call)),
  }
}
