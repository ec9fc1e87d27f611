import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModule, type TestModule } from './module.ts'

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
}, 60_000)
afterAll(() => module.end())

const check = () => module.run(['check', '--offline'])

test('a team whose module has no words reads it from its own check, before the portal refuses the build', async () => {
  module.change('src/notes/NotesPage.tsx', () => 'export default () => <p>Notes</p>\n')
  module.change('src/notes/AddNoteDialog.tsx', () => 'export {}\n')
  await module.run(['words'])
  const { code, output } = await check()
  expect(output).toMatch(/✗ words: .*has no words.*portal-module words/)
  expect(code).toBe(1)
}, 60_000)
