import type { Chosen } from '../commands/subject.ts'

/** A service that is installed from npm, and the request that loads it. */
export interface RealService {
  readonly title: string
  /** Packages of npm with their versions. */
  readonly packages: readonly string[]
  /** Arguments of `node`, in the directory of the service. The port is in `{port}` and in the variable PORT. */
  readonly args: readonly string[]
  /** Path and query; absent if a command of `load` loads the service. */
  readonly path?: string
  /** More about what is sent. */
  readonly load?: Partial<Chosen>
  /** The package that runs, if the service itself is one. */
  readonly program?: string
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

const json = { 'content-type': 'application/json' }

/** Services that nobody here wrote, and samples of well-known frameworks. */
export const services: Readonly<Record<string, RealService>> = {
  verdaccio: {
    program: 'verdaccio',
    largest: 'application',
    title: 'verdaccio 6.1',
    packages: ['verdaccio@6.1'],
    args: ['node_modules/verdaccio/bin/verdaccio', '--config', 'verdaccio.yaml', '--listen', '{port}'],
    path: '/left',
    files: { 'storage/left/package.json': JSON.stringify(manifest) },
  },
  'node-red': {
    program: 'node-red',
    largest: 'http',
    title: 'node-red 4.1',
    packages: ['node-red@4.1'],
    args: ['node_modules/node-red/red.js', '--settings', 'settings.fixture.cjs'],
    path: '/orders?name=all&count=3',
  },
  'json-server': {
    program: 'json-server',
    largest: 'framework',
    title: 'json-server 0.17',
    packages: ['json-server@0.17.4'],
    args: ['node_modules/json-server/lib/cli/bin.js', '--quiet', '--port', '{port}', 'db.json'],
    path: '/posts?author=author%203&_sort=views',
    files: { 'db.json': JSON.stringify({ posts }) },
  },
  express: {
    largest: 'auth and crypto',
    title: 'Express 5 sample',
    packages: ['express@5', 'pino-http@11', 'pino@10', 'zod@4', 'jsonwebtoken@9'],
    args: ['express.fixture.mjs'],
    path: '/orders?page=3&size=20',
  },
  koa: {
    largest: 'rendering',
    title: 'Koa 3 sample',
    packages: ['koa@3', 'winston@3', 'ejs@7'],
    args: ['koa.fixture.mjs'],
    path: '/orders',
  },
  nest: {
    largest: 'http',
    title: 'NestJS 11 sample',
    packages: [
      '@nestjs/core@11',
      '@nestjs/common@11',
      '@nestjs/platform-express@11',
      'nestjs-pino@4',
      'pino-http@11',
      'pino@10',
      'reflect-metadata@0.2',
      'rxjs@7',
    ],
    args: ['nest.fixture.mjs'],
    path: '/orders',
  },
  react: {
    largest: 'rendering',
    title: 'React 19 server rendering',
    packages: ['react@19', 'react-dom@19'],
    args: ['react.fixture.mjs'],
    path: '/',
  },
  apollo: {
    largest: 'framework',
    title: 'Apollo Server 5',
    packages: ['@apollo/server@5', 'graphql@16'],
    args: ['apollo.fixture.mjs'],
    path: '/',
    load: { header: json, body: '{"query":"{ orders { id name total } }"}' },
  },
  hapi: {
    largest: 'framework',
    title: 'hapi 21 with joi',
    packages: ['@hapi/hapi@21', 'joi@18'],
    args: ['hapi.fixture.mjs'],
    path: '/orders',
    load: { header: json, body: '{"name":"order","lines":[1,2,3]}' },
  },
  trpc: {
    largest: 'framework',
    title: 'tRPC 11 with zod',
    packages: ['@trpc/server@11', 'zod@4', 'typescript@5'],
    args: ['trpc.fixture.mjs'],
    path: '/order?input=%7B%22id%22%3A7%7D',
  },
  bcrypt: {
    largest: 'auth and crypto',
    title: 'bcryptjs 3, synchronous',
    packages: ['bcryptjs@3'],
    args: ['bcrypt.fixture.mjs'],
    path: '/',
  },
  sqlite: {
    largest: 'database',
    title: '`node:sqlite`',
    packages: [],
    args: ['sqlite.fixture.mjs'],
    path: '/',
  },
  proxy: {
    largest: 'http',
    title: 'http-proxy 1',
    packages: ['http-proxy@1'],
    args: ['proxy.fixture.mjs'],
    path: '/',
  },
  sharp: {
    largest: 'rendering',
    title: 'sharp',
    packages: ['sharp@0.34'],
    args: ['sharp.fixture.mjs'],
    path: '/',
  },
  hono: {
    largest: 'http',
    title: 'Hono 4',
    packages: ['hono@4', '@hono/node-server@1'],
    args: ['hono.fixture.mjs'],
    path: '/orders/7',
  },
  'socket-io': {
    largest: 'http',
    title: 'socket.io 4',
    packages: ['socket.io@4', 'socket.io-client@4'],
    args: ['socket-io.fixture.mjs'],
    load: { loadWith: 'node socket-io-load.fixture.mjs' },
  },
  mqtt: {
    largest: 'messaging',
    title: 'aedes 1, an MQTT broker',
    packages: ['aedes@1', 'mqtt@5'],
    args: ['mqtt.fixture.mjs'],
    load: { loadWith: 'node mqtt-load.fixture.mjs' },
  },
  piscina: {
    largest: 'compute',
    title: 'Piscina 5',
    packages: ['piscina@5'],
    args: ['piscina.fixture.mjs'],
    path: '/',
  },
  yoga: {
    largest: 'framework',
    title: 'GraphQL Yoga 5',
    packages: ['graphql-yoga@5', 'graphql@16'],
    args: ['yoga.fixture.mjs'],
    path: '/',
    load: { header: json, body: '{"query":"{ orders { id name total } }"}' },
  },
  ws: {
    largest: 'http',
    title: 'ws 8, WebSocket',
    packages: ['ws@8'],
    args: ['ws.fixture.mjs'],
    load: { loadWith: 'node ws-load.fixture.mjs' },
  },
}
