import { pathToFileURL } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import type { ComponentCall } from './component-protocol.ts'
import { explainElement } from './explain-element.ts'
import type { PartRenderer } from './renderer.ts'

type Components = Readonly<Record<string, FunctionComponent>>

/** Loads a module whose exports are components. They render with renderToString. */
export async function loadComponents(file: string): Promise<PartRenderer<ComponentCall>> {
  const components: Components = await import(pathToFileURL(file).href)
  const elementOf = ({ name, input }: ComponentCall) =>
    createElement(components[name] as FunctionComponent, input.props)
  return {
    render: call => renderToString(elementOf(call)),
    explain: call => explainElement(elementOf(call)),
  }
}
