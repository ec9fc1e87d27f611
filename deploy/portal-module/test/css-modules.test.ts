import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { globalRules } from '@portal/sdk/own-styles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { makeModule, type TestModule } from './module.ts'

const sheet = `
:root { --ink: teal; }
.note-row, .note-row > p { color: var(--ink); animation: fade 1s; }
.late { composes: note-row; border-color: navy; }
@keyframes fade { from { opacity: 0; } }
@media (width < 600px) { .note-row { color: black; } }
`
const component = (sheet: string, used: string) =>
  `import styles from '${sheet}'\nexport default () => <p className={${used}}>12</p>\n`
const english = { en: 'Notes', fr: 'Notes' }
const place = { id: 'notes', title: english, permission: 'clinics.view', order: 50 }

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
  module.write('src/notes/notes.module.css', sheet)
  module.write('src/notes/card.module.css', '.note-row { color: olive }\n')
  module.write('src/notes/NotesCard.tsx', component('./card.module.css', "styles['note-row']"))
  module.write('src/notes/NotesTab.tsx', component('./notes.module.css', 'styles.late'))
  module.change('src/notes/NotesPage.tsx', (text) => {
    const styled = text.replace('{adding.item', "<p className={styles['note-row']}>12</p>\n$&")
    return `import styles from './notes.module.css'\n${styled}`
  })
  module.change('src/module.ts', (text) =>
    text.replace(
      'messages:',
      `cards: { notes: () => import('./notes/NotesCard.tsx') },
       tabs: { school: { notes: () => import('./notes/NotesTab.tsx') } },
       messages:`,
    ),
  )
  module.change('portal.module.json', (text) =>
    JSON.stringify({ ...JSON.parse(text), cards: [place], tabs: [{ ...place, on: 'school' }] }),
  )
}, 240_000)
afterAll(() => module.end())

/** The style sheets of a folder, and its scripts. */
const filesOf = (folder: string) => {
  const text = (kind: string) =>
    readdirSync(join(module.dir, folder))
      .filter((file) => file.endsWith(kind))
      .map((file) => readFileSync(join(module.dir, folder, file), 'utf8'))
      .join('\n')
  return { css: text('.css'), js: text('.js') }
}

test('a team names classes in CSS modules of a page, a card and a tab, and nobody else has these names', async () => {
  const { code, output } = await module.run(['check', '--offline'])
  expect(output).toContain('Every gate is open.')
  expect(code).toBe(0)
  const { css, js } = filesOf('dist')
  const rows = [...new Set(css.match(/\.mfe-clinics-note-row-[\w-]{6}/g))].map((name) => name.slice(1))
  expect(rows).toHaveLength(2)
  for (const name of rows) {
    expect(css).toContain(`.mfe-clinics .${name}`)
    expect(js).toContain(name)
  }
  expect(css).toMatch(/\.mfe-clinics ?\{ ?--ink/)
  expect(css).toMatch(/@keyframes mfe-clinics-fade-[\w-]{6}/)
  // A composed class is both names.
  expect(js).toMatch(/mfe-clinics-late-[\w-]{6} mfe-clinics-note-row-/)
}, 240_000)

test('what a team sees while it works on CSS modules has the classes of the build that is published', async () => {
  const served = await module.start(['dev', '--alone', '--port', '0'], 'http://127.0.0.1:1', /localhost:\d+/)
  served.stop()
  const developed = filesOf('node_modules/.cache/portal/developed/0')
  // Nothing is minified here, so the rule that said what its class is composed of is still there, and empty.
  const said = developed.css.replace(/[^{}]+\{\s*\}/g, '')
  expect(globalRules(said, 'mfe-clinics')).toEqual([])
  const names = (text: string) => [...new Set(text.match(/mfe-clinics-[a-z-]+-[\w-]{6}\b/g))].toSorted()
  expect(names(developed.css)).toEqual(names(filesOf('dist').css))
}, 240_000)

test('the compiler of a new module knows the classes of a CSS module', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  module.write(
    'src/use.ts',
    "import styles from './notes/notes.module.css'\nimport './plain.css'\nexport const row: string | undefined = styles.row\n// @ts-expect-error a class is text\nexport const no: number = styles.row\n",
  )
  const options =
    '--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --module esnext --moduleResolution bundler'
  const files = ['src/assets.d.ts', 'src/use.ts']
  const done = await promisify(execFile)(
    process.execPath,
    [compiler, ...options.split(' '), '--types', '', ...files],
    {
      cwd: module.dir,
    },
  ).catch((fault: { stdout: string }) => fault)
  expect(done.stdout).toBe('')
}, 60_000)
