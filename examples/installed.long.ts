import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { installPlainService } from './install-plain-service.ts'

test('the example, installed from tarballs outside of this repository, answers as before with every offload', t => {
  const { project, npm } = installPlainService()
  t.after(() => rmSync(project, { recursive: true }))
  npm('test')
})
