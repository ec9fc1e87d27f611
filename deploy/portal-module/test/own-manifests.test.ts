import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditEvents, auditTypes } from '@portal/contracts/audit'
import { sheetKinds } from '@portal/contracts/imports'
import { ModuleManifest } from '@portal/sdk/manifest'
import type { SearchSource } from '@portal/sdk/manifest-search'
import { linksOutside, recordsOutside } from '@portal/sdk/own-addresses'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
type Call = {
  description: string
  parameters: { in: string; name: string }[]
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}
const calls: Record<string, { get?: Call } | undefined> = readJson('docs/openapi.json').paths

/** The schema of a field of a response, such as `students.data.user.first_name`. For an array, that of its items. */
function partOf(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((found, name) => {
    const inside = found?.items ?? found?.anyOf?.find(({ properties }) => properties) ?? found
    return inside?.properties?.[name]
  }, schema)
}

const fieldsIn = ({ label, note = [], link }: SearchSource) =>
  [label, note, link].flat().flatMap((text) => [...text.matchAll(/\{([\w.]+)/g)].map(([, name = '']) => name))

test('every import but that of the portal’s own page has a module that leads back to it', () => {
  const announced = globSync('mfe-*/portal.module.json', { cwd: root })
    .flatMap((file) => (v.parse(ModuleManifest, readJson(file)).links ?? []).map(({ kind }) => kind))
    .filter((kind) => kind.startsWith('import.'))
  const kinds = sheetKinds.filter((kind) => kind !== 'attendance').map((kind) => `import.${kind}`)
  expect(announced.sort()).toEqual(kinds.sort())
})

describe.each(globSync('mfe-*/portal.module.json', { cwd: root }))('%s', (file) => {
  const manifest = v.parse(ModuleManifest, readJson(file))

  test('leads nowhere but to its own addresses', () => {
    expect([...linksOutside(manifest), ...recordsOutside(manifest)]).toEqual([])
  })

  test('has steps of the first day that are done by what the audit log has', () => {
    const done = (manifest.first_day ?? []).flatMap((step) => step.done ?? [])
    expect(done.filter(({ type }) => !(type in auditTypes))).toEqual([])
    expect(done.flatMap(({ events }) => events).filter((event) => !(event in auditEvents))).toEqual([])
  })

  test.each(manifest.search ?? [])('searches a list that the server has: $call', (source) => {
    const call = calls[source.call]?.get
    const mayAsk = [...[source.permission].flat(), 'Any signed-in person']
    expect(mayAsk.some((who) => call?.description.includes(who))).toBe(true)
    expect(call?.parameters).toContainEqual(
      expect.objectContaining({ in: 'query', name: source.query ?? 'search' }),
    )
    const answer = call?.responses[200]?.content['application/json']?.schema
    for (const field of fieldsIn(source))
      expect(partOf(answer, `${source.rows}.data.${field}`), `${source.rows}: ${field}`).toBeDefined()
  })
})

/** Code outside of the modules, and the module of accounts. None of it may contain addresses of other modules. */
const strangers = [
  ...globSync('shell/src/**/*.{ts,tsx}', { cwd: root }),
  ...globSync('api/src/{access,home,imports,kit,modules,sync}/**/*.ts', { cwd: root }),
  ...globSync('mfe-users/src/**/*.{ts,tsx}', { cwd: root }),
  ...globSync('shared/{client,ui,screens,i18n,sdk,workbench}/src/**/*.{ts,tsx}', { cwd: root }),
].filter((file) => !/\.test\.tsx?$|\/locales\/|\/gallery\//.test(file))

test('no address of a module stands in the code of the shell, of the api’s common domains or of another module', () => {
  const owners = globSync('mfe-*/portal.module.json', { cwd: root }).flatMap((file) =>
    v
      .parse(ModuleManifest, readJson(file))
      .routes.map((route) => ({ module: file.split('/')[0] ?? '', route })),
  )
  const found = strangers.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    return owners
      .filter(({ module }) => !file.startsWith(`${module}/`))
      .filter(({ route }) => new RegExp(`['"\`]${route}(?![\\w-])`).test(code))
      .map(({ module, route }) => `${file} names ${route} of ${module}`)
  })
  expect(found).toEqual([])
})
