import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { modulesAddress } from '@portal/contracts/modules-address'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterEach, beforeEach } from 'vitest'
import { SessionUnavailable } from '../src/away.ts'
import { gateway } from '../src/gateway.ts'
import type { SessionAnswer } from '../src/options.ts'

export const script = 'export const greeting = "hello"'
export const base = '/modules/mfe-users/0123456789ab'
export const hash = (letter: string) => `sha384-${letter.repeat(64)}`
export const module = {
  name: 'mfe-users',
  title: { en: 'Users', fr: 'Utilisateurs' },
  owner: { name: 'A team', contact: 'team@portal.example' },
  contract: '^1.0.0',
  routes: ['/admin/users'],
  nav: [],
  version: '1.0.0',
  build: '0123456789ab',
  base: `${base}/`,
  integrity: hash('R'),
  previous: null,
  signature: null,
}
const record = {
  base: `${base}/`,
  entry: 'remoteEntry.js',
  files: { 'remoteEntry.js': hash('E'), 'page.js': hash('P') },
  preloads: { '/admin/users': ['page.js'] },
}
const page = (name: string) =>
  `<!doctype html><html lang="${name.split('.')[1]}"><head><title>${name}</title></head><body>__INLINE__</body></html>`

/** What a test has: the gateway, the folder that it serves, and whether the api is away. */
export const served = { dist: '', unavailable: false } as {
  dist: string
  unavailable: boolean
  app: FastifyInstance
}

/** Starts a gateway before each test: the pages of the shell and one module. */
export function startGateway() {
  beforeEach(async () => {
    served.dist = mkdtempSync(join(tmpdir(), 'gateway-'))
    for (const name of ['landing', 'login', 'forgot', 'reset', 'portal', 'away', 'isolated']) {
      for (const language of ['en', 'fr'])
        write(`shell/${name}.${language}.html`, page(`${name}.${language}`))
    }
    for (const language of ['en', 'fr']) {
      const list = '{"/assets/lib.js":"sha256-lib=","loader":"sha256-first="}'
      const given = `<script type="application/json" id="given">${list}</script>`
      write(
        `shell/isolated.${language}.html`,
        page(`isolated.${language}`).replace('</head>', `${given}</head>`),
      )
    }
    write(
      'shell/early.json',
      JSON.stringify({ en: { '/home': '<link id="home">', '*': '<link id="styles">' }, fr: {} }),
    )
    write(`${base.slice(1)}/build.json`, JSON.stringify(record))
    write('shell/assets/app.js', script)
    write('external/index.html', page('external.en'))
    write(`${base.slice(1)}/remoteEntry.js`, script)
    write(`${base.slice(1)}/remoteEntry.js.br`, brotliCompressSync(script))
    write(`${base.slice(1)}/remoteEntry.js.gz`, gzipSync(script))
    publish(1)
    await start('https://modules.example')
  })
  afterEach(async () => {
    await served.app.close()
    rmSync(served.dist, { recursive: true })
  })
}

export function write(path: string, content: string | Buffer) {
  mkdirSync(join(served.dist, path, '..'), { recursive: true })
  writeFileSync(join(served.dist, path), content)
}
export const publish = (generation: number) =>
  write(
    'modules.json',
    JSON.stringify({ generation, shell: null, modules: [module, { name: 'mfe-broken' }] }),
  )
export const get = (url: string, headers: InjectOptions['headers'] = {}) =>
  served.app.inject({ url, headers })

export async function start(modulesUrl: string) {
  served.app = fastify()
  served.app.get('/api/health', () => ({ ok: true }))
  await gateway(served.app, {
    distDir: served.dist,
    apiBase: '/api',
    publicUrl: 'https://portal.example',
    modulesAt: modulesAddress(modulesUrl),
    frameSrc: 'https://analytics.example',
    session: async () => {
      if (served.unavailable) throw new SessionUnavailable('5')
      return { user: { id: 1, roles: [], first_name: '</script><b>' } } as SessionAnswer
    },
  })
}
