import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { Step } from '../../app/steps.ts'
import type { StackOptions } from '../../stack/stack-options.ts'
import { logPlaces, type Stack, startStack } from '../stack-parts.ts'

/** Starts a stack of a step with a live page. It stops at the end of the test. */
export async function startWatched(
  t: TestContext,
  step: Step,
  options: Partial<StackOptions> = {},
): Promise<Stack> {
  const directory = mkdtempSync(join(tmpdir(), 'live-'))
  const app = { ...logPlaces(directory), threads: 1 }
  const stack = await startStack({ composition: step.composition, app, ...options })
  t.after(async () => {
    await stack.stop()
    rmSync(directory, { recursive: true })
  })
  return stack
}

/** Resolves once the live page marks the step as the running one. */
export const running = (page: Page, step: Step): Promise<void> =>
  page.locator('#ladder [aria-current]', { hasText: step.name }).waitFor()
