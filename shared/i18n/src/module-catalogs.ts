import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformAsync } from '@babel/core'
import extractPlugin, { type ExtractedMessage } from '@lingui/babel-plugin-extract-messages'
import macroPlugin from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { checkCatalogs, compiledCatalog, type Entries, type Package, sortedEntries } from './catalogs.ts'

/**
 * The words of a module outside this repository: one pair of .po files in `src/locales`. Lingui's own command asks for
 * a newer Node than a partner need have; its parsers do not.
 */

type Collected = Record<
  string,
  { message?: string; context?: string; placeholders: Record<string, string[]>; comments: string[] }
>

const locales = ['en', 'fr'] as const
const linguiConfig = makeConfig({ locales: [...locales], sourceLocale: 'en' }, { skipValidation: true })
const po = formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: false })

async function sourcesOf(dir: string): Promise<string[]> {
  const names = await readdir(join(dir, 'src'), { recursive: true })
  return names
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)locales\/|\.test\.tsx?$/.test(name))
    .sort()
    .map((name) => join(dir, 'src', name))
}

async function collect(dir: string): Promise<Collected> {
  const found: Collected = {}
  const onMessageExtracted = (next: ExtractedMessage) => {
    found[next.id] ??= {
      placeholders: {},
      comments: [],
      ...(next.message !== undefined && { message: next.message }),
      ...(next.context !== undefined && { context: next.context }),
    }
    const entry = found[next.id]
    if (next.comment && entry && !entry.comments.includes(next.comment)) entry.comments.push(next.comment)
    for (const [key, value] of Object.entries(next.placeholders ?? {})) {
      const known = entry?.placeholders[key] ?? []
      if (entry && !known.includes(value)) entry.placeholders[key] = [...known, value].sort()
    }
  }
  for (const file of await sourcesOf(dir)) {
    await transformAsync(await readFile(file, 'utf8'), {
      code: false,
      babelrc: false,
      configFile: false,
      filename: file,
      parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
      plugins: [
        [macroPlugin, { descriptorFields: 'all', linguiConfig }],
        [extractPlugin, { linguiConfig, onMessageExtracted }],
      ],
    })
  }
  return found
}

const poFile = (dir: string, locale: string) => join(dir, 'src/locales', `${locale}.po`)
const about = (dir: string, locale: string) => ({
  locale,
  sourceLocale: 'en',
  filename: poFile(dir, locale),
})

async function stored(dir: string, locale: string): Promise<Entries | undefined> {
  const file = poFile(dir, locale)
  if (!existsSync(file)) return undefined
  return (await po.parse(await readFile(file, 'utf8'), about(dir, locale))) as Entries
}

async function open(dir: string): Promise<Package> {
  const found = await collect(dir)
  const known = { en: await stored(dir, 'en'), fr: await stored(dir, 'fr') }
  const merged = (translate: (id: string, message: string | undefined) => string) =>
    sortedEntries(
      Object.fromEntries(
        Object.entries(found).map(([id, entry]) => [
          id,
          { ...entry, translation: translate(id, entry.message) },
        ]),
      ),
    )
  return {
    folder: 'src/locales',
    stored: known,
    en: merged((id, message) => message ?? id),
    fr: merged((id) => known.fr?.[id]?.translation ?? ''),
  }
}

/** Writes the .po files anew from what the sources say; answers the English texts that have no French yet. */
export async function extractWords(dir: string): Promise<string[]> {
  const words = await open(dir)
  await mkdir(join(dir, 'src/locales'), { recursive: true })
  for (const locale of locales) {
    const file = poFile(dir, locale)
    const existing = existsSync(file) ? await readFile(file, 'utf8') : undefined
    type Catalog = Parameters<typeof po.serialize>[0]
    const content = await po.serialize(words[locale] as Catalog, {
      ...about(dir, locale),
      existing,
    })
    if (content !== existing) await writeFile(file, content)
  }
  return Object.entries(words.fr).flatMap(([id, entry]) => (entry.translation ? [] : [entry.message ?? id]))
}

/** Compiles both catalogs to `src/locales/*.ts`; answers what is not a valid message. */
export async function compileWords(dir: string): Promise<string[]> {
  const words = await open(dir)
  await mkdir(join(dir, 'src/locales'), { recursive: true })
  const faults: string[] = []
  for (const locale of locales) {
    const { source, faults: found } = compiledCatalog(words, locale)
    faults.push(...found)
    const file = join(dir, 'src/locales', `${locale}.ts`)
    const before = existsSync(file) ? await readFile(file, 'utf8') : ''
    if (before !== source) await writeFile(file, source)
  }
  return faults
}

/** Ids of the module's words in each language, without those that have no translation. */
export async function translatedWords(dir: string): Promise<Record<'en' | 'fr', string[]>> {
  const words = await open(dir)
  const ids = (entries: Entries) => Object.keys(entries).filter((id) => entries[id]?.translation)
  return { en: ids(words.en).sort(), fr: ids(words.fr).sort() }
}

/** What is missing or left over in either language. */
export const checkWords = async (dir: string): Promise<string[]> => checkCatalogs(await open(dir))
