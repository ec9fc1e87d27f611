import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeModule, type TestModule } from './module.ts'

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
}, 240_000)
afterAll(() => module.end())

const check = () => module.run(['check', '--offline'])

test('a team whose module has no words, restyles the portal or has a heavy part, reads it from its own check, before the portal refuses the build', async () => {
  const rules = '@keyframes spin { from { opacity: 0 } }\n.mfe-clinicsable { color: teal }\n'
  module.write('src/module.css', `${rules}.mfe-clinics :is(.a, .b) { color: teal }\n`)
  module.change('src/module.ts', (text) => `import './module.css'\n${text}`)
  module.write('src/tiles.ts', `export const tiles = '${randomBytes(240_000).toString('base64')}'\n`)
  module.change(
    'src/notes/NotesPage.tsx',
    () => "export default () => <p onClick={() => void import('../tiles.ts')}>Notes</p>\n",
  )
  module.change('src/notes/AddNoteDialog.tsx', () => 'export {}\n')
  await module.run(['words'])
  const { code, output } = await check()
  expect(output).toMatch(/✗ languages: .*has no words.*portal-module words/)
  expect(output).toMatch(/✗ styles: .*would change other pages too: @keyframes spin, \.mfe-clinicsable\. /)
  expect(output).toMatch(
    /✗ weights: \S+\.js is 2\d\d\.\d KiB, compressed; a file may be 200 KiB, .* mostly src\/tiles\.ts \(/,
  )
  expect(code).toBe(1)
}, 240_000)

test('a team ships style sheets of its module and of one page, which are loaded with them', async () => {
  const own = await makeModule()
  onTestFinished(() => own.end())
  const sheet = (rule: string) => `.mfe-clinics .${rule} { color: teal; }\n`
  own.write('src/module.css', sheet('badge'))
  own.write('src/notes/notes.css', sheet('note'))
  own.change('src/module.ts', (text) => `import './module.css'\n${text}`)
  own.change('src/notes/NotesPage.tsx', (text) => `import './notes.css'\n${text}`)
  const { code, output } = await own.run(['check', '--offline'])
  expect(output).toContain('Every gate is open.')
  expect(code).toBe(0)
  const record = JSON.parse(readFileSync(join(own.dir, 'dist/build.json'), 'utf8'))
  // Source maps are published beside the build: places in the team's files, and no folder of this machine.
  const maps = JSON.parse(readFileSync(join(own.dir, 'dist/sources.map'), 'utf8'))
  const sources = Object.values<{ sources: string[] }>(maps).flatMap((map) => map.sources)
  expect(record.maps).toMatch(/^sha256-/)
  expect(sources).toContain('src/notes/NotesPage.tsx')
  expect(sources.filter((source) => /^\/|\.\.|%2F/.test(source))).toEqual([])
  const sheets = Object.keys(record.files).filter((file) => file.endsWith('.css'))
  expect(sheets).toHaveLength(2)
  for (const file of sheets) expect(file).toMatch(/\.[0-9a-f]{10}\.css$/)
  const { '*': everywhere, '/admin/clinics': page } = record.preloads
  expect(
    [everywhere, page].map((files: string[]) => files.filter((file) => file.endsWith('.css')).length),
  ).toEqual([1, 1])
}, 240_000)
