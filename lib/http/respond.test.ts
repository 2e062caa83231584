import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import helmet from 'helmet'
import { securityHeaders } from './respond.ts'

test('the headers are the defaults of Helmet, with a policy that is stricter', () => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet()(request, response, () => {})
  const { 'content-security-policy': theirs, ...defaults } = response.getHeaders()
  const { 'content-security-policy': ours, ...others } = securityHeaders
  assert.deepEqual(others, { ...defaults })
  assert.match(String(theirs), /^default-src 'self'/)
  assert.match(ours, /^default-src 'none'/)
})
