import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ModuleBuild, RegistryModule } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import type { ServedFile } from './proxy.ts'

/** What is wrong with a build of the probe. */
export type Variant =
  | 'sound'
  | 'throws-at-load'
  | 'throws-in-render'
  | 'throws-in-card'
  | 'wrong-react'
  | 'nothing'

type Options = {
  name?: string
  version?: string
  variant?: Variant
  /** The contract its code says it was written for. */
  contract?: string
  /** A word that its pages show: builds of one version differ by it. */
  mark?: string
  title?: { en: string; fr: string }
  /** A file of the folder that is its list instead of `list.js`. */
  list?: string
  /** A file of the folder that is its card instead of `card.js`. */
  card?: string
  /** Further fields of the manifest. */
  more?: Partial<ModuleBuild>
}

const folder = join(import.meta.dirname, 'probe')
const files = [
  'entry.js',
  'list.js',
  'form.js',
  'crash.js',
  'card.js',
  'tab.js',
  'en.js',
  'fr.js',
  'probe.css',
]
const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

const integrityOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

const versionOf = (name: string): string => createRequire(import.meta.url)(`${name}/package.json`).version

const wordsOf = (name: string, file: string) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/\}\.(\w+)`\]:/g)].map(([, id]) => `${name}.${id}`)

/** A name that no other journey has used, also when they are run again over the same portal. */
export const newName = (word: string): string =>
  `mfe-${word}-${[...randomBytes(4)].map((octet) => String.fromCharCode(97 + (octet % 26))).join('')}`

/** The team that partners' modules of the tests belong to. */
export const owner = { name: 'Probe team', contact: 'probe@partner.example' }

/** One build of the probe, put together from the few files of its folder: what a bundler would have made. */
export function makeProbe(options: Options = {}) {
  const { name = 'mfe-probe', version = '1.0.0', variant = 'sound', contract = '1.0.0', mark = '' } = options
  const route = `/admin/${name.replace('mfe-', '')}`
  const labels = { name, version, variant, contract, mark, route }
  const stands: Record<string, string | undefined> = { 'list.js': options.list, 'card.js': options.card }
  const texts = files.map((file) => [file, readFileSync(join(folder, stands[file] ?? file), 'utf8')] as const)
  const build = createHash('sha256')
    .update(JSON.stringify([labels, options.more, texts]))
    .digest('hex')
    .slice(0, 12)
  const inserted = JSON.stringify({
    ...labels,
    global: federationName(name, build),
    files: `/modules/${name}/${build}/`,
  })
  const built = texts.map(
    ([file, text]) =>
      [
        file,
        file.endsWith('.css')
          ? text.replace('PROBE', name)
          : `(() => {\nconst PROBE = ${inserted}\n${text}})()\n`,
      ] as const,
  )
  const title = options.title ?? { en: 'Probe', fr: 'Sonde' }
  const record: ModuleBuild = {
    name,
    title,
    owner,
    contract: `^${contract}`,
    routes: [route],
    nav: [
      {
        path: route,
        label: title,
        icon: 'modules',
        order: 90,
        children: [
          { path: route, label: { en: `${title.en} list`, fr: `Liste ${title.fr}` } },
          { path: `${route}/form`, label: { en: `${title.en} form`, fr: `Formulaire ${title.fr}` } },
        ],
      },
    ],
    cards: [],
    permissions: [],
    collections: [],
    version,
    build,
    base: `/modules/${name}/${build}/`,
    entry: 'entry.js',
    files: Object.fromEntries(built.map(([file, text]) => [file, integrityOf(text)])),
    preloads: { en: ['en.js'], fr: ['fr.js'], [route]: ['list.js'], [`${route}/form`]: ['form.js'] },
    shared: { react: versionOf('react'), 'react-dom': versionOf('react-dom'), '@portal/sdk': contract },
    words: { en: wordsOf(name, 'en.js'), fr: wordsOf(name, 'fr.js'), same: 0 },
    sources: [name],
    ...options.more,
  }
  return { record, text: JSON.stringify(record), files: Object.fromEntries(built), route }
}
export type Probe = ReturnType<typeof makeProbe>

/** The same as files of a web server. */
export function servedFiles({ record, text, files }: Probe): Record<string, ServedFile> {
  const all = { ...files, 'build.json': text }
  return Object.fromEntries(
    Object.entries(all).map(([file, body]) => [
      record.base + file,
      { type: types[file.split('.').at(-1) ?? ''] ?? 'application/json; charset=utf-8', body },
    ]),
  )
}

/** What the registry says of it once it is live. */
export function entryOf({ record, text }: Probe, fields: Partial<RegistryModule> = {}): RegistryModule {
  const { entry: _, files: __, preloads: ___, ...rest } = record
  return {
    ...rest,
    integrity: integrityOf(text),
    previous: null,
    disabled: false,
    withheld: null,
    signature: null,
    ...fields,
  }
}

/** How an entry names the build before it. */
export const asPrevious = ({ record, text }: Probe): RegistryModule['previous'] => ({
  version: record.version,
  build: record.build,
  integrity: integrityOf(text),
})
