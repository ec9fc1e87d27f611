import type { RenamedField } from '@portal/sdk/deprecations'
import { describe, expect, test } from 'vitest'
import { contractAfter, upgradedManifest } from '../src/upgrade/json-files.ts'
import { renameFields } from '../src/upgrade/renamed-fields.ts'
import { edited, readSource } from '../src/upgrade/source.ts'
import { moduleWith } from './upgraded-module.ts'

/** A contract that calls \`notify\` of the host \`tell\`. */
const tell: RenamedField = {
  ...{ of: 'host', name: 'notify', to: 'tell', since: '2.0.0', until: '2029-11-30' },
  instead: 'tell of the host',
}

const renamed = (text: string) => {
  const source = readSource('src/Page.tsx', text)
  renameFields(source, [tell])
  return edited(source)
}

describe('a name of the host that is called otherwise', () => {
  const hook = `import { type Host, useHost as usePortal, defineModule } from '@portal/sdk'\n`
  test.each([
    [
      'in a pattern',
      'const { client, notify } = usePortal()',
      'const { client, tell: notify } = usePortal()',
    ],
    ['under a name of its own', 'const { notify: say } = usePortal()', 'const { tell: say } = usePortal()'],
    [
      'of a variable',
      'const host = usePortal()\nhost.notify.good(host?.notify)',
      'const host = usePortal()\nhost.tell.good(host?.tell)',
    ],
    ['of the call', "usePortal()['notify'].bad('x')", "usePortal()['tell'].bad('x')"],
    ['of a parameter', 'const f = (host: Host) => host.notify', 'const f = (host: Host) => host.tell'],
    [
      'of a pattern as parameter',
      'function f({ notify }: Host) { notify() }',
      'function f({ tell: notify }: Host) { notify() }',
    ],
    [
      'of routes',
      'defineModule({ routes: (host) => (host.notify, []) })',
      'defineModule({ routes: (host) => (host.tell, []) })',
    ],
    [
      'in types',
      "type N = Host['notify'] | Pick<Host, 'notify' | 'can'>",
      "type N = Host['tell'] | Pick<Host, 'tell' | 'can'>",
    ],
    [
      'of a host for a test',
      'const fake: Host = { notify: {}, can }',
      'const fake: Host = { tell: {}, can }',
    ],
  ])('is renamed %s', (_where, text, expected) => {
    expect(renamed(hook + text)).toBe(hook + expected)
  })

  test('is left where it is somebody else’s', () => {
    const text = `${hook}const desk = { notify() {} }\ndesk.notify()\nconst { notify } = desk\n`
    expect(renamed(text)).toBe(text)
  })
})

test('a module comes to the next major in its manifest and in its code, and stays where it is within one', async () => {
  expect([contractAfter('^1.3.0', '2.1.0'), contractAfter('1.3.0', '1.5.0')]).toEqual(['2.1.0', undefined])
  const { dir } = moduleWith({
    'portal.module.json': `{\n  "cards": [{ "title": "A" },  { "title": "B" }], "title": "C"\n}\n`,
  })
  const table: RenamedField[] = [{ ...tell, of: 'manifest', name: 'cards.title', to: 'heading' }]
  const source = await upgradedManifest(dir, table)
  expect(edited(source)).toBe(`{\n  "cards": [{ "heading": "A" },  { "heading": "B" }], "title": "C"\n}\n`)
  expect(source.did).toEqual(['heading in place of cards.title'])
})
