import { pathToFileURL } from 'node:url'
import type { FunctionComponent } from 'react'
import { isLate } from '../lib/threads/envelope.ts'
import { stackOf } from '../lib/threads/thrown.ts'
import { monotonicMs } from '../lib/units.ts'
import type { ReactServer } from './app-module.ts'
import { explainElement } from './explain-element.ts'
import { importNamed } from './load-app.ts'
import { loadReact } from './load-react.ts'
import type { PartCall, PartFailure, PartReply } from './protocol.ts'

/** The components of a module, and the React that renders them: its own if it is a bundle of both. */
export interface Components {
  readonly byName: Readonly<Record<string, FunctionComponent>>
  readonly react: ReactServer
}

const encoder = new TextEncoder()

/** Loads a module whose exports are components. */
export async function loadComponents(file: string): Promise<Components> {
  const { href } = pathToFileURL(file)
  const byName = await importNamed(href)
  return { byName, react: byName.react ?? (await loadReact(href)) }
}

/** Renders a part at once, with its HTML in UTF-8, unless its deadline has passed. It never rejects because of a part. */
export function renderCall(components: Components, call: PartCall): PartReply | Promise<PartReply> {
  if (isLate(call.input.envelope)) return { kind: 'expired' }
  const startedAtMs = monotonicMs()
  try {
    const html = encoder.encode(components.react.renderToString(elementOf(components, call)))
    return { kind: 'html', html, startedAtMs, runMs: monotonicMs() - startedAtMs }
  } catch (error) {
    return describeFailure(components, call, error)
  }
}

const elementOf = ({ byName, react }: Components, { name, input }: PartCall) =>
  react.createElement(byName[name] as FunctionComponent, input.props)

async function describeFailure(components: Components, call: PartCall, error: unknown): Promise<PartFailure> {
  const componentStack = await explainElement(components.react, elementOf(components, call))
  return { kind: 'failed', stack: stackOf(error), componentStack }
}
