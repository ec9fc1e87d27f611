import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getCatalogs } from '@lingui/cli/api'
import { type LinguiConfig, makeConfig } from '@lingui/conf'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'

/** Usage: node shared/i18n/catalogs.ts extract|compile|check [package folder …]; none means all of them. */

type Entry = { message?: string; context?: string; translation?: string; obsolete?: boolean }
type Entries = Record<string, Entry>

const root = resolve(import.meta.dirname, '../..')

/** The catalogs of one package. */
async function open(folder: string) {
  const file = join(root, folder, 'lingui.config.ts')
  const config = makeConfig(((await import(pathToFileURL(file).href)) as { default: LinguiConfig }).default, {
    resolvedConfigPath: file,
  })
  return Promise.all((await getCatalogs(config)).map((catalog) => read(folder, catalog)))
}

type Catalog = Awaited<ReturnType<typeof getCatalogs>>[number]

/** What the sources of one catalog say, beside what its two .po files hold. */
async function read(folder: string, catalog: Catalog) {
  const source = await catalog.collect()
  if (!source) throw new Error(`${folder}: the sources could not be read.`)
  const stored = await catalog.readAll()
  const merged = catalog.merge(stored, source, { overwrite: true }) as Record<string, Entries>
  const sorted = (locale: string) =>
    Object.fromEntries(
      Object.entries(merged[locale] ?? {})
        .filter(([, entry]) => !entry.obsolete)
        .sort(([a, x], [b, y]) => text(x, a).localeCompare(text(y, b), 'en') || (a < b ? -1 : 1)),
    )
  return {
    folder,
    catalog,
    stored: stored as Record<string, Entries | undefined>,
    en: sorted('en'),
    fr: sorted('fr'),
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

type Package = Awaited<ReturnType<typeof read>>
const text = (entry: Entry, id: string) => entry.message ?? id

async function extract({ folder, catalog, en, fr }: Package) {
  await mkdir(dirname(catalog.getFilename('en')), { recursive: true })
  type Writable = Parameters<typeof catalog.write>[1]
  await catalog.write('en', en as Writable)
  await catalog.write('fr', fr as Writable)
  const missing = Object.values(fr).filter((entry) => !entry.translation).length
  say(`${folder}: ${Object.keys(en).length} messages, ${missing} without French`)
}

/**
 * Numbers inside sentences follow the person's number form, and Lingui picks plurals by the same Intl locale.
 * English and French differ there on zero only ("0 rows", "0 ligne"), so zero is written out.
 */
function withZero(message: CompiledMessage, form: string): CompiledMessage {
  if (!Array.isArray(message)) return message
  return message.map((token) => {
    if (!Array.isArray(token)) return token
    const [name, type, cases] = token
    if (!cases || typeof cases === 'string') return token
    const settled = Object.fromEntries(
      Object.entries(cases).map(([key, value]) => [
        key,
        typeof value === 'number' ? value : withZero(value, form),
      ]),
    )
    if (type === 'plural' && settled[form] !== undefined) settled['0'] ??= settled[form]
    return [name, type, settled]
  }) as CompiledMessage
}

/** Ids come from the sources, not from the .po: what was not extracted yet shows in English, never as an id. */
async function compile({ folder, catalog, en, fr }: Package) {
  const faults: string[] = []
  for (const [locale, entries] of [['en', en] as const, ['fr', fr] as const]) {
    const messages: Record<string, CompiledMessage> = {}
    for (const [id, entry] of Object.entries(entries)) {
      const message = entry.translation || text(entry, id)
      try {
        messages[id] = withZero(compileMessage(message), locale === 'fr' ? 'one' : 'other')
      } catch (error) {
        faults.push(
          `${folder}: "${message}" is not a valid message in ${locale}: ${(error as Error).message}`,
        )
      }
    }
    const source = `import type { Messages } from '@lingui/core'\nexport const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))}) as Messages\n`
    const file = `${catalog.getFilename(locale).slice(0, -'.po'.length)}.ts`
    await mkdir(dirname(file), { recursive: true })
    // Written only when it differs, so that a watching build is not woken for nothing.
    const before = existsSync(file) ? await readFile(file, 'utf8') : ''
    if (before !== source) await writeFile(file, source)
  }
  return faults
}

function check({ folder, stored, en, fr }: Package) {
  const faults: string[] = []
  for (const [id, entry] of Object.entries(fr)) {
    if (!entry.translation) faults.push(`${folder}: "${text(entry, id)}" has no French translation.`)
  }
  for (const [locale, current] of [['en', en] as const, ['fr', fr] as const]) {
    const held = stored[locale] ?? {}
    for (const [id, entry] of Object.entries(held)) {
      if (!current[id] || entry.obsolete)
        faults.push(`${folder}: "${text(entry, id)}" is in ${locale}.po but no longer used.`)
    }
    const late = Object.keys(current).find((id) => !held[id])
    if (late) {
      const message = text(current[late] ?? {}, late)
      faults.push(
        `${folder}: ${locale}.po is out of date with the source ("${message}" is not in it): run extract.`,
      )
    }
  }
  return faults
}

/** All packages load into one i18n: one English text with two French ones would depend on loading order. */
function contradictions(packages: Package[]) {
  const first = new Map<string, { folder: string; french: string }>()
  const faults: string[] = []
  for (const { folder, fr } of packages) {
    for (const [id, entry] of Object.entries(fr)) {
      if (!entry.translation) continue
      const known = first.get(id)
      if (!known) first.set(id, { folder, french: entry.translation })
      else if (known.french !== entry.translation) {
        faults.push(
          `${folder}: "${text(entry, id)}" is "${entry.translation}" here and "${known.french}" in ${known.folder}; choose one, or add a context.`,
        )
      }
    }
  }
  return faults
}

const [command, ...only] = process.argv.slice(2)
const all = globSync(['*/lingui.config.ts', 'shared/*/lingui.config.ts'], { cwd: root }).map(dirname).sort()
const wanted = only.length ? only.map((folder) => folder.replace(/\/$/, '')) : all

const faults: string[] = []
const packages: Package[] = []
for (const folder of wanted) packages.push(...(await open(folder)))
if (command === 'extract') for (const each of packages) await extract(each)
else if (command === 'compile') for (const each of packages) faults.push(...(await compile(each)))
else if (command === 'check') faults.push(...packages.flatMap(check), ...contradictions(packages))
else faults.push('Say what to do: extract, compile or check.')

for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length) process.exitCode = 1
else if (command === 'check') say(`${packages.length} catalogs are complete in both languages.`)
