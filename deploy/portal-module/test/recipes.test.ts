import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { callerHeader } from '@portal/contracts/backend-answers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { makeModule, type TestModule } from './module.ts'

type Manifest = Record<string, unknown>

const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
/** The blocks of code below the name of a file: together they are one module. */
const blocks = [...page.matchAll(/^`(\S+\.\w+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
  ([, file = '', code = '']) => ({ file, code }),
)

/** What a recipe adds to a manifest: entries to lists, and whole fields. */
const withRecipe = (manifest: Manifest, recipe: Manifest): Manifest => ({
  ...manifest,
  ...Object.fromEntries(
    Object.entries(recipe).map(([key, value]) => {
      const before = manifest[key]
      return [key, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value]
    }),
  ),
})

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
  for (const { file, code } of blocks) {
    if (file === 'portal.module.json')
      module.change(file, (text) => JSON.stringify(withRecipe(JSON.parse(text), JSON.parse(code))))
    else {
      mkdirSync(dirname(join(module.dir, file)), { recursive: true })
      module.write(file, code)
    }
  }
  await module.run(['words'])
  // The sentences of the recipes are the reader's to translate.
  module.change('src/locales/fr.po', (text) =>
    text.replace(/^(msgid "(.+)"\nmsgstr )""$/gm, (_, begin, words) => `${begin}"${words}"`),
  )
}, 240_000)
afterAll(() => module.end())

test('no file of the recipes is given twice', () => {
  const files = blocks.map(({ file }) => file).filter((file) => file !== 'portal.module.json')
  expect(files.length).toBeGreaterThan(15)
  expect(files).toEqual([...new Set(files)])
})

test('whoever copies all recipes has a module that compiles', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [compiler, '-p', '.'], { cwd: module.dir }, (_, out) => resolve(out)),
  )
  // The packages are sources here, with options of their own; a partner has their declarations.
  expect(said.split('\n').filter((line) => /^(src|browser)\//.test(line))).toEqual([])
}, 240_000)

test('it passes its own tests and every gate, and draws its pages in both languages', async () => {
  const tested = await module.run(['test'])
  expect(tested).toMatchObject({ code: 0 })
  // The portal's packages are linked here and not packed, so its sheet for charts does not count as one of a package.
  module.change('src/visits/ReasonChart.tsx', (text) => text.replace("import '@portal/ui/chart.css'\n", ''))
  const { output, code } = await module.run(['check', '--offline'])
  expect(output.split('\n').filter((line) => /^[✗!]/.test(line))).toEqual([])
  expect(code).toBe(0)
}, 240_000)

test('its server answers the portal, also that of a developer, and nobody else, nor the same call twice', async () => {
  const port = 20_000 + ((process.pid + 7) % 20_000)
  const address = `http://localhost:${port}`
  const server = spawn(process.execPath, ['server.mjs'], {
    cwd: module.dir,
    env: { PORTAL_URL: address, AUDIENCE: 'mfe-clinics/stock', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill())
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const own = line.replace(/^.*(?=http)/, '')
  // It passes calls on to the server, and tells the test what it was shown.
  let token = ''
  let passesOn = true
  const between = createServer(async (request, reply) => {
    token = String(request.headers.authorization)
    const answer = passesOn ? await read(request.url ?? '', token) : null
    reply.end(answer ? await answer.text() : '{}')
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  onTestFinished(() => void between.close())
  const read = (path: string, authorization: string) =>
    fetch(`${own}${path}`, authorization ? { headers: { authorization } } : {})
  const at = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const args = ['dev', '--alone', '--port', String(port), '--backend', `stock=${at}`]
  const dev = await module.start(args, 'http://127.0.0.1:1', /Alone, with/)
  onTestFinished(() => void dev.stop())
  const person = encodeURIComponent(JSON.stringify({ id: 7, permissions: ['clinics.view'] }))
  const ask = () =>
    fetch(`${address}/api/modules/mfe-clinics/backend/stock/items`, { headers: { [callerHeader]: person } })
  const answer = await ask()
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ items: [{ name: 'Oral rehydration salts' }] })
  const statusOf = async (path: string, shown = token) => (await read(path, shown)).status
  expect([await statusOf('/items', ''), await statusOf('/items')]).toEqual([401, 401])
  passesOn = false
  await ask()
  expect([await statusOf('/items?all=1'), await statusOf('/items'), await statusOf('/items')]).toEqual([
    401, 200, 401,
  ])
}, 240_000)
