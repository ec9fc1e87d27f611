import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ModuleManifest } from '@portal/sdk/manifest'
import { contractVersion } from '@portal/sdk/registry'
import { Ajv } from 'ajv'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { manifestSchema, schemaFile } from '../packing/manifest-schema.ts'
import { apiReport, difference, reportFile } from '../packing/report.ts'

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

describe('what modules may rely on', () => {
  test('has changed only where somebody wrote it down: npm run sdk:report', async () => {
    expect(difference(readFileSync(reportFile, 'utf8'), await apiReport())).toEqual([])
  })

  test('has one version, that of its package', () => {
    expect(readJson('shared/sdk/package.json').version).toBe(contractVersion)
  })

  test('has everything that the guide tells teams to import, for the reference of the documentation', () => {
    const guide = ['docs/partners.md', 'docs/partners-life.md', 'docs/recipes.md']
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n')
    const imported = new Set(guide.match(/@portal\/(?:sdk|client|contracts|module)\/[a-z]+(?:[/-][a-z]+)*/g))
    const report = readFileSync(reportFile, 'utf8')
    const missing = [...imported].filter((name) => !report.includes(`\n## ${name}\n`))
    expect(imported).toContain('@portal/module/harness/fake-portal')
    expect(missing).toEqual([])
  })

  test('names a change by its line', () => {
    expect(difference('a\nb\nc', 'a\nx\nc')).toEqual(['- b', '+ x'])
  })
})

describe('the form of portal.module.json for editors', () => {
  const accepts = new Ajv().compile(JSON.parse(readFileSync(schemaFile, 'utf8')))
  const good = readJson('deploy/examples/mfe-health/portal.module.json')

  test('is the one that judges at publishing: npm run sdk:report', () => {
    expect(readFileSync(schemaFile, 'utf8')).toBe(manifestSchema())
  })

  test('accepts every module there is', () => {
    for (const file of globSync(['mfe-*/portal.module.json', 'deploy/examples/*/portal.module.json'], {
      cwd: root,
    }))
      expect(accepts(readJson(file)), file).toBe(true)
  })

  test.each([
    ['a name that is not a module folder', { name: 'health' }],
    ['a label in one language only', { title: { en: 'Health' } }],
    ['a route with a slash at its end', { routes: ['/admin/health/'] }],
    ['no route at all', { routes: [] }],
    ['a contract that is no range', { contract: '1.1.0' }],
    ['a card with a field that nobody reads', { cards: [{ ...good.cards[0], colour: 'red' }] }],
    ['a permission without a resource', { permissions: [{ name: 'view', label: good.title }] }],
    ['a collection that nobody may read', { collections: [{ name: 'visits', write: 'health.record' }] }],
    ['an icon that the portal does not have', { nav: [{ ...good.nav[0], icon: 'skull' }] }],
    ['a field that nobody reads', { routs: [] }],
  ])('refuses %s, as publishing does', (_what, change) => {
    expect(accepts({ ...good, ...change })).toBe(false)
    expect(v.is(ModuleManifest, { ...good, ...change })).toBe(false)
  })
})
