import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Words that are the same in both languages. */
const alike = [
  ...['budget', 'collection', 'notification', 'sessions', 'sha-256'],
  ...[
    'Arrondissement',
    'CAP',
    'Cercle',
    'Classes',
    'Commune',
    'Contact 1',
    'Contact 2',
    'Correction',
    'Date',
    'E-mail',
    'Export',
  ],
  ...[
    'Handicap',
    'Import',
    'Installation',
    'Message',
    'Module',
    'Parents',
    'Profession',
    'Programme',
    'Session',
    'Type',
  ],
  ...['Commission', 'Description', 'Modules', 'Permissions'],
].map((word) => word.toLowerCase())

type Text = { where: string; en: string; fr: string }

/** Every pair of texts inside a value, at any depth. */
function textsOf(value: unknown, where: string, seen = new Set<unknown>()): Text[] {
  if (!value || typeof value !== 'object' || seen.has(value)) return []
  seen.add(value)
  const { en, fr } = value as Record<string, unknown>
  if (typeof en === 'string' || typeof fr === 'string')
    return [{ where, en: String(en ?? ''), fr: String(fr ?? '') }]
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, `${where} ${key}`, seen))
}

/** All files with texts in both languages: responses, mails, validation and workbooks. */
async function everyText(): Promise<Text[]> {
  const files = globSync(
    [
      'api/src/**/{messages,letters,words}.ts',
      'api/src/**/*.{messages,letters,words}.ts',
      'shared/contracts/src/{sentences,notifications,notices,imports/*-sentences,audit,access/permission-words,transfers/failure-reasons}.ts',
      'shared/contracts/src/*/*.sheet.ts',
    ],
    { cwd: root },
  )
  const modules = await Promise.all(
    files.map(async (file) => [file, await import(pathToFileURL(resolve(root, file)).href)] as const),
  )
  return modules.flatMap(([file, module]) =>
    Object.entries(module as Record<string, unknown>).flatMap(([name, value]) =>
      textsOf(value, `${file} ${name}`),
    ),
  )
}

/** The French texts of every screen, from its catalogs. */
function screenTexts(): Text[] {
  const folders = ['shell', 'shared/*', 'mfe-*', 'deploy/examples/*', 'deploy/portal-module/template']
  return globSync(
    folders.map((folder) => `${folder}/src/**/locales/fr.po`),
    { cwd: root },
  ).flatMap((where) =>
    [...readFileSync(resolve(root, where), 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)].map(
      ([, en = '', fr = '']) => ({ where, en, fr: fr.replaceAll('\\"', '"') }),
    ),
  )
}

test('a person who reads French gets every message, mail, sentence and heading in French', async () => {
  const texts = await everyText()
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.filter(({ en, fr }) => !en.trim() || !fr.trim())).toEqual([])
  expect(
    texts.filter(({ en, fr }) => en === fr && /[a-z]{3}/i.test(en) && !alike.includes(en.toLowerCase())),
  ).toEqual([])
})

test('a person reads the same values in both languages of a sentence', async () => {
  // Only the number of values is compared: a heading is passed in both languages, under two names.
  const parts = (text: string) => text.match(/\{\w+(?:,number)?\}/g)?.length ?? 0
  const uneven = (await everyText()).filter(({ en, fr }) => parts(en) !== parts(fr))
  expect(uneven).toEqual([])
})

test('a person reads French with French apostrophes and quotation marks, and is addressed as vous', async () => {
  const screens = screenTexts()
  expect(screens.length).toBeGreaterThan(1_000)
  const wrong = [...(await everyText()), ...screens].filter(
    ({ fr }) =>
      /\p{L}'\p{L}/u.test(fr) ||
      /[“”"]/.test(fr.replace(/\{[^{}]*\}|"protocol"/g, '')) ||
      /(?<!\p{L})(?:tu|ton|tes|toi)(?!\p{L})/iu.test(fr),
  )
  expect(wrong).toEqual([])
})

/** Forbidden synonyms. Use établissement, élève, tuteur, décaissement, rapprochement, dossier, envoyer. */
const notOurs =
  /(?<!à l’)école|étudiant|gardien|débours|versement|réconciliation|récipiendaire|téléverse|(?:le|ce|un|votre) cas|feedback|login|plaignant|non approuvé|^inconnu$/iu
/** Capitals must have their accents. */
const bare = /(?<!\p{L})(?:E(?:leve|cole|tat|tablissement|chec|tape|dit|v[eé]nement)|A (?!un))/u

test('a person reads the same French word for the same thing everywhere, with its accents', async () => {
  const texts = [...(await everyText()), ...screenTexts()]
  expect(texts.filter(({ fr }) => notOurs.test(fr) || bare.test(fr))).toEqual([])
})

test('a person who reads French reads one name for the franc', async () => {
  const texts = [...(await everyText()), ...screenTexts()]
  // Where the code of the currency itself is typed.
  const code = 'La devise est XOF.'
  expect(texts.filter(({ fr }) => fr !== code && /XOF|(?<!F\s)CFA/.test(fr))).toEqual([])
})
