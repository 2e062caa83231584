import { execFileSync } from 'node:child_process'

const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
const NAME = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'

/** A new key, and the certificate for localhost that it has signed itself. OpenSSL makes them. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const words = `req -x509 ${KEY} -days 2 ${NAME} -keyout - -out -`.split(' ')
  const pem = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const at = pem.indexOf('-----BEGIN CERTIFICATE')
  return { key: pem.slice(0, at), cert: pem.slice(at) }
}
