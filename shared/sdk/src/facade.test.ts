import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deprecations, renamedFields } from './deprecations.ts'
import * as sdk from './index.ts'
import * as router from './router-dom.ts'

const root = join(import.meta.dirname, '../../..')
const served = [
  '@tanstack/react-query',
  '@tanstack/react-table',
  '@lingui/react',
  '@lingui/core',
  '@portal/sdk',
]
const imports = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g

/** What a module imports of the shared libraries is served by the facade: a name it lacks is undefined in the page. */
test('the facade has every name that modules and what is bundled into them import', () => {
  const missing: string[] = []
  const files = globSync(['mfe-*/src/**/*.{ts,tsx}', 'shared/{client,ui,screens,i18n}/src/**/*.{ts,tsx}'], {
    cwd: root,
  })
  for (const file of files) {
    // The standalone page has its own copies, and tests run without a facade.
    if (/\.test\.tsx?$|\/test-|standalone|vitest-lingui|\/lingui\.ts$/.test(file)) continue
    for (const [, type, names = '', from = ''] of readFileSync(join(root, file), 'utf8').matchAll(imports)) {
      if (type || !served.includes(from)) continue
      for (const part of names.split(',').map((each) => each.trim())) {
        const name = part.split(/\s+as\s+/)[0]
        if (name && !name.startsWith('type ') && !(name in sdk)) missing.push(`${file}: ${name} of ${from}`)
      }
    }
  }
  expect(missing).toEqual([])
})

test('the partners’ guide lists the names of the router that the shell shares', () => {
  const guide = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
  const listed = /the build stops at any other:([^.]*)\./.exec(guide)?.[1] ?? ''
  const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(names.toSorted()).toEqual(Object.keys(router).toSorted())
})

test('the comments that editors show for deprecated names say what the check says', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const said = [
    ...read('facade.ts').matchAll(
      /@deprecated since ([\d.]+), until ([\d-]+): import it from ([\w-]+)\. \*\/\s+(?:type )?(\w+)/g,
    ),
  ].map(([, since, until, to, name]) => ({ name, from: '@portal/sdk', since, until, to }))
  expect(said).toEqual(deprecations)
  const ofTypes = [read('define-module.ts'), read('host.ts')].join('\n')
  for (const { since, until, to } of renamedFields.filter(({ of }) => of !== 'manifest'))
    expect(ofTypes).toMatch(new RegExp(`@deprecated since ${since}, until ${until}:.* ${to}\\b`))
})
