import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { concernColors } from '../../app/concern-colors.ts'

const css = readFileSync(join(import.meta.dirname, '../../screen/page/colors.css'), 'utf8')

for (const concern of ['compute', 'rendering'] as const)
  test(`the threads of ${concern} have the colour that the concern has everywhere`, () => {
    assert.equal(new RegExp(`--${concern}: (#\\w+);`).exec(css)?.[1], concernColors[concern].fill)
  })
