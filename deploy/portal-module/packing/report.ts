import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contractVersion } from '@portal/sdk/registry'
import { emit, root } from './emit.ts'
import { manifestSchema, schemaFile } from './manifest-schema.ts'

/** Usage: npm run sdk:report. Writes the API report of the contract, so that a change of it shows in the diff. */

export const reportFile = join(root, 'shared/sdk/api-report.md')

/** The packages that modules import. The form of the manifest is in portal.module.schema.json. */
const files = [
  'index',
  'define-module',
  'extensions',
  'host',
  'host-events',
  'events',
  'settings',
  'facade',
  'router-dom',
  'addresses',
  'registry',
]
/** What modules use of other packages, and their tests of this one. */
const beyond = [
  'shared/client/src/client',
  'shared/client/src/query',
  'shared/contracts/src/endpoint',
  'shared/contracts/src/records',
  'shared/contracts/src/record-pictures',
  'shared/contracts/src/registers',
  'shared/contracts/src/registers-students',
  'shared/contracts/src/fields',
  'shared/contracts/src/sentences',
  'shared/contracts/src/backends',
  'shared/contracts/src/module-flags',
  'shared/contracts/src/module-notices',
  'shared/contracts/src/module-events',
  'shared/contracts/src/module-settings',
  'deploy/portal-module/src/harness/fake-portal',
  'deploy/portal-module/src/browser/test',
  'deploy/portal-module/src/browser/person',
]

/** The name by which a module imports a source: `@portal/client/query`. */
const importedAs = (path: string) =>
  path.replace('shared/', '@portal/').replace('deploy/portal-module/', '@portal/module/').replace('src/', '')

const normalised = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/^import .*$\n/gm, '')
    .replace(/^export \{\};$\n?/gm, '')
    .replace(/\.js'/g, "'")
    .trim()

/** The declarations of everything in the contract, as the compiler emits them. */
export async function apiReport(): Promise<string> {
  const sources = [
    ...files.map((name) => join(root, `shared/sdk/src/${name}.ts`)),
    ...beyond.map((name) => join(root, `${name}.ts`)),
  ]
  const emitted = await emit(sources, { emitDeclarationOnly: true })
  const section = (title: string, path: string) => {
    const file = emitted.find((each) => each.path === `${path}.d.ts`)
    if (!file) throw new Error(`${path} has no declarations.`)
    return `## ${title}\n\n\`\`\`ts\n${normalised(String(file.content))}\n\`\`\`\n`
  }
  return [
    `# Contract ${contractVersion}\n\nWritten by \`npm run sdk:report\`. A removal or a change asks for the next major version, an addition for the next minor one.\n`,
    ...files.map((name) =>
      section(name === 'index' ? '@portal/sdk' : `@portal/sdk/${name}`, `shared/sdk/src/${name}`),
    ),
    ...beyond.map((path) => section(importedAs(path), path)),
  ].join('\n')
}

/** Lines that only one side has, old ones with `-` and new ones with `+`. Empty if both are equal. */
export function difference(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const longest = old.map(() => new Array<number>(now.length + 1).fill(0))
  longest.push(new Array<number>(now.length + 1).fill(0))
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = longest[i]
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: string[] = []
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1
      j += 1
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push(`- ${old[i++]}`)
    else lines.push(`+ ${now[j++]}`)
  }
  return lines
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const report = await apiReport()
  const before = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''
  const lines = difference(before, report)
  await writeFile(reportFile, report)
  await writeFile(schemaFile, manifestSchema())
  console.log(lines.length ? lines.join('\n') : 'The contract is as it was written down.')
}
