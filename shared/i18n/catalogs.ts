import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getCatalogs } from '@lingui/cli/api'
import { type LinguiConfig, makeConfig } from '@lingui/conf'
import {
  checkCatalogs,
  compiledCatalog,
  contradictions,
  type Entries,
  type Package,
  sortedEntries,
} from './src/catalogs.ts'

/** Usage: node shared/i18n/catalogs.ts extract|compile|check [package folder …]; none means all of them. */

const root = resolve(import.meta.dirname, '../..')

type Catalog = Awaited<ReturnType<typeof getCatalogs>>[number]
type Opened = Package & { catalog: Catalog }

/** The catalogs of one package. */
async function open(folder: string) {
  const file = join(root, folder, 'lingui.config.ts')
  const config = makeConfig(((await import(pathToFileURL(file).href)) as { default: LinguiConfig }).default, {
    resolvedConfigPath: file,
  })
  return Promise.all((await getCatalogs(config)).map((catalog) => read(folder, catalog)))
}

/** What the sources of one catalog say, beside what its two .po files hold. */
async function read(folder: string, catalog: Catalog): Promise<Opened> {
  const source = await catalog.collect()
  if (!source) throw new Error(`${folder}: the sources could not be read.`)
  const stored = await catalog.readAll()
  const merged = catalog.merge(stored, source, { overwrite: true }) as Record<string, Entries>
  const [en, fr] = [sortedEntries(merged.en), sortedEntries(merged.fr)]
  return { folder, catalog, stored: stored as Record<string, Entries | undefined>, en, fr }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

async function extract({ folder, catalog, en, fr }: Opened) {
  await mkdir(dirname(catalog.getFilename('en')), { recursive: true })
  type Writable = Parameters<typeof catalog.write>[1]
  await catalog.write('en', en as Writable)
  await catalog.write('fr', fr as Writable)
  const missing = Object.values(fr).filter((entry) => !entry.translation).length
  say(`${folder}: ${Object.keys(en).length} messages, ${missing} without French`)
}

async function compile(opened: Opened) {
  const faults: string[] = []
  for (const locale of ['en', 'fr'] as const) {
    const { source, faults: found } = compiledCatalog(opened, locale)
    faults.push(...found)
    const file = `${opened.catalog.getFilename(locale).slice(0, -'.po'.length)}.ts`
    await mkdir(dirname(file), { recursive: true })
    // Written only when it differs, so that a watching build is not woken for nothing.
    const before = existsSync(file) ? await readFile(file, 'utf8') : ''
    if (before !== source) await writeFile(file, source)
  }
  return faults
}

const [command, ...only] = process.argv.slice(2)
const all = globSync(['*/lingui.config.ts', '{shared,deploy}/*/lingui.config.ts'], { cwd: root })
  .map(dirname)
  .sort()
const wanted = only.length ? only.map((folder) => folder.replace(/\/$/, '')) : all

const faults: string[] = []
const packages: Opened[] = []
for (const folder of wanted) packages.push(...(await open(folder)))
if (command === 'extract') for (const each of packages) await extract(each)
else if (command === 'compile') for (const each of packages) faults.push(...(await compile(each)))
else if (command === 'check') faults.push(...packages.flatMap(checkCatalogs), ...contradictions(packages))
else faults.push('Say what to do: extract, compile or check.')

for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length) process.exitCode = 1
else if (command === 'check') say(`${packages.length} catalogs are complete in both languages.`)
