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

test('a team whose module has no words, or restyles the portal, reads it from its own check, before the portal refuses the build', async () => {
  const rules = '@keyframes spin { from { opacity: 0 } }\n.mfe-clinicsable { color: teal }\n'
  module.write('src/module.css', `${rules}.mfe-clinics :is(.a, .b) { color: teal }\n`)
  module.change('src/module.ts', (text) => `import './module.css'\n${text}`)
  module.change('src/notes/NotesPage.tsx', () => 'export default () => <p>Notes</p>\n')
  module.change('src/notes/AddNoteDialog.tsx', () => 'export {}\n')
  await module.run(['words'])
  const { code, output } = await check()
  expect(output).toMatch(/✗ words: .*has no words.*portal-module words/)
  expect(output).toMatch(/✗ css: .*would change other pages too: @keyframes spin, \.mfe-clinicsable\. /)
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
  const sheets = Object.keys(record.files).filter((file) => file.endsWith('.css'))
  expect(sheets).toHaveLength(2)
  for (const file of sheets) expect(file).toMatch(/\.[0-9a-f]{10}\.css$/)
  const { '*': everywhere, '/admin/clinics': page } = record.preloads
  expect(
    [everywhere, page].map((files: string[]) => files.filter((file) => file.endsWith('.css')).length),
  ).toEqual([1, 1])
}, 240_000)
