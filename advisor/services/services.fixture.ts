/** A service that is installed from npm, and what loads it. */
export interface RealService {
  readonly title: string
  /** Packages of npm with their versions. */
  readonly packages: readonly string[]
  /** Arguments of `node`, in the directory of the service. The port is in `{port}` and in the variable PORT. */
  readonly args: readonly string[]
  /** Path and query; absent if a command loads the service. */
  readonly path?: string
  readonly loadWith?: string
  /** The concern that takes most of the main thread. */
  readonly largest: string
  /** Files to write there, besides those of `samples/`. */
  readonly files?: Readonly<Record<string, string>>
}

const posts = Array.from({ length: 300 }, (_, id) => ({
  id,
  author: `author ${id % 7}`,
  title: `post ${id}`,
  views: (id * 37) % 1000,
}))

const versions = Array.from({ length: 60 }, (_, minor) => `1.${minor}.0`)

/** The metadata of a package with sixty versions, as verdaccio stores it. */
const manifest = {
  name: 'left',
  'dist-tags': { latest: versions.at(-1) },
  time: Object.fromEntries(versions.map(version => [version, '2026-01-01T00:00:00.000Z'])),
  versions: Object.fromEntries(
    versions.map(version => [
      version,
      {
        name: 'left',
        version,
        description: 'a package',
        dependencies: { right: '^1.0.0' },
        dist: { shasum: 'a'.repeat(40), tarball: `http://localhost/left/-/left-${version}.tgz` },
      },
    ]),
  ),
  _distfiles: {},
  _attachments: {},
  _uplinks: {},
  _rev: '1-1',
}

/** A sample with this name. @param packages separated by spaces */
const sample = (
  name: string,
  title: string,
  packages: string,
  largest: string,
  loaded: Pick<RealService, 'path' | 'loadWith'> = { path: '/' },
): Readonly<Record<string, RealService>> => ({
  [name]: {
    ...{ title, packages: packages.split(' ').filter(Boolean), args: ['service.fixture.mjs', name], largest },
    ...loaded,
  },
})
const EXPRESS = 'express@5 pino-http@11 pino@10 zod@4 jsonwebtoken@9'
const NEST =
  '@nestjs/core@11 @nestjs/common@11 @nestjs/platform-express@11 nestjs-pino@4 pino-http@11 pino@10 reflect-metadata@0.2 rxjs@7'

/** Services that nobody here wrote, and samples of well-known frameworks. */
export const services: Readonly<Record<string, RealService>> = {
  verdaccio: {
    largest: 'application',
    title: 'verdaccio 6.1',
    packages: ['verdaccio@6.1'],
    args: ['node_modules/verdaccio/bin/verdaccio', '--config', 'verdaccio.yaml', '--listen', '{port}'],
    path: '/left',
    files: { 'storage/left/package.json': JSON.stringify(manifest) },
  },
  'json-server': {
    largest: 'framework',
    title: 'json-server 0.17',
    packages: ['json-server@0.17.4'],
    args: ['node_modules/json-server/lib/cli/bin.js', '--quiet', '--port', '{port}', 'db.json'],
    path: '/posts?author=author%203&_sort=views',
    files: { 'db.json': JSON.stringify({ posts }) },
  },
  ...sample('express', 'Express 5 sample', EXPRESS, 'auth and crypto', { path: '/orders?page=3&size=20' }),
  ...sample('nest', 'NestJS 11 sample', NEST, 'http', { path: '/orders' }),
  ...sample('sqlite', '`node:sqlite`', '', 'database'),
  ...sample('proxy', 'http-proxy 1', 'http-proxy@1', 'http'),
  ...sample('mqtt', 'aedes 1, an MQTT broker', 'aedes@1 mqtt@5', 'messaging', {
    loadWith: 'node service.fixture.mjs mqtt-load',
  }),
}
