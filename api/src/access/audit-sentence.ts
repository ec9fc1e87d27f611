import { type AuditLog, auditEvents, auditFieldName } from '@portal/contracts/audit'
import { type AuditedWords, auditList, auditPair, auditValueText } from '@portal/contracts/audit/text'
import type { Locale, Text } from '@portal/contracts/sentences'
import { nouns, parts as say, sentences } from './audit.messages.ts'

/** An entry with the name of its subject. `link` is the address of the subject's page. */
export type Entry = Omit<AuditLog, 'sentence'> & { link: string | null }
/** The most fields in a sentence, and the most characters of a value. */
export type Limits = { most: number; longest: number }
/** The language of a sentence, its words for fields and values, and its limits. */
export type Telling = { locale: Locale; words: AuditedWords; limits: Limits }
type Sentence = AuditLog['sentence']
type Change = { field: string; text: string; both: boolean }

/** All fields in full length, for the Excel export. */
export const unlimited: Limits = { most: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY }

const people = new Set(['user', 'student', 'parent', 'teacher'])
/** Technical fields, such as versions and hashes. Only the details of an entry show them. */
const technical = [
  'without_version',
  'list_hash',
  'build',
  'generation',
  'collection',
  'document',
  'documents',
]
/** Fields that the verb of the sentence implies, unless the event is an edit. */
const implied = ['status', 'state', 'stopped']
/** Fields that are part of the name of the subject, unless the event is an edit. */
const naming = ['name', 'first_name', 'last_name', 'title', 'number', 'email', 'module', 'file']

/** An entry of the audit log as one sentence; the part with a link is the name of what it is about. */
export function auditSentence(entry: Entry, telling: Telling): Sentence {
  const { locale } = telling
  const subject = subjectOf(entry, locale)
  const changes = changesOf(entry, telling)
  const [only] = changes
  const oneField = entry.event === 'updated' && changes.length === 1 && only?.both ? only : undefined
  const template = templateOf(entry, subject, Boolean(oneField))
  const value = (name: string) => {
    if (name === 'who') return actorOf(entry, locale)
    if (name === 'field') return fieldText(oneField?.field ?? '', telling)
    return textOf(name, entry.new_values?.[name] ?? entry.old_values?.[name], telling)
  }
  const part = (name: string | undefined): Sentence =>
    name ? (subject.parts(name) ?? plain(value(name))) : []
  const names = [...template[locale].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pieces = template[locale].split(/\{\w+\}/).flatMap((text, at) => [...plain(text), ...part(names[at])])
  const rest = changes.filter(({ field }) => !names.includes(field))
  const end = oneField ? auditPair('', oneField.text, locale) : ending(entry, rest, telling)
  return joined([...pieces, ...plain(end)])
}

/** The sentence as one text. */
export const sentenceText = (sentence: Sentence): string => sentence.map(({ text }) => text).join('')

const plain = (text: string): Sentence => (text ? [{ text, link: null }] : [])

function templateOf(
  { event, auditable_type }: Entry,
  { isPerson, isNamed }: { isPerson: boolean; isNamed: boolean },
  oneField: boolean,
): Text {
  const fallback = {
    en: `{who}: ${auditEvents[event]?.en ?? event}, {what}`,
    fr: `{who} : ${auditEvents[event]?.fr ?? event}, {what}`,
  }
  const person = isPerson ? ' person' : ''
  const found = oneField ? sentences[`${event} field${person}`] : undefined
  return (
    found ??
    (isNamed ? undefined : sentences[`${event} nobody`]) ??
    sentences[`${event} ${auditable_type}`] ??
    sentences[`${event}${person}`] ??
    sentences[event] ??
    fallback
  )
}

const actorOf = ({ user, ip_address }: Entry, locale: Locale) =>
  user ? `${user.first_name} ${user.last_name}` : say[ip_address ? 'visitor' : 'portal'][locale]

/** The subject of an entry in the grammatical cases that sentences need. */
function subjectOf(entry: Entry, locale: Locale) {
  const { auditable_type: type, auditable_id: id, user, link } = entry
  const own = type === 'user' && id !== null && user?.id === id
  const name = own ? say.ownAccount[locale] : nameOf(entry)
  const isPerson = own || (name !== undefined && people.has(type))
  const noun = isPerson ? '' : (nouns[type]?.[locale] ?? type)
  const shown = name ?? (id === null ? '' : say.number[locale].replace('{0}', String(id)))
  const before = noun && shown ? `${noun} ` : noun
  const named = (prefix: string): Sentence => [
    ...plain(prefix),
    ...(shown ? [{ text: shown, link: own ? null : link }] : []),
  ]
  const cases: Record<string, () => Sentence> = {
    what: () => named(before),
    of: () => named(preposed('of', before, shown, locale)),
    to: () => named(preposed('to', before, shown, locale)),
    whose: () => (own ? plain('their own') : [...named(before), ...plain('’s')]),
  }
  return { isPerson, isNamed: shown !== '', parts: (part: string) => cases[part]?.() }
}

/** The present name of the subject. If it was deleted, it is the name in the entry. */
function nameOf({
  auditable_name,
  auditable_type,
  auditable_id,
  new_values,
  old_values,
}: Entry): string | undefined {
  const then = { ...old_values, ...new_values }
  // A sign-in with an unknown e-mail has no subject, and a module has no id.
  const known = auditable_id === null ? (then.email ?? then.module) : then.name
  const name = auditable_name ?? (auditable_type === 'audit' ? undefined : known)
  return typeof name === 'string' && name ? name : undefined
}

const prepositions = { of: { en: 'of ', fr: 'de ' }, to: { en: 'to ', fr: 'à ' } }
const contracted = { of: { le: 'du ', les: 'des ' }, to: { le: 'au ', les: 'aux ' } }

/** `of the school `, `du dossier `, `d’` (before Aïssata). */
function preposed(kind: 'of' | 'to', before: string, name: string, locale: Locale): string {
  const preposition = prepositions[kind][locale]
  if (locale === 'en') return `${preposition}${before}`
  const [, article, noun] = /^(les?) (.*)$/.exec(before) ?? []
  if (article === 'le' || article === 'les') return `${contracted[kind][article]}${noun}`
  const first = (before || name).normalize('NFD').charAt(0)
  return kind === 'of' && /[aeiouœæ]/i.test(first) ? `d’${before}` : `${preposition}${before}`
}

/** The changed fields that the sentence does not contain, each with its change as text. */
function changesOf({ event, old_values: old, new_values: now }: Entry, telling: Telling): Change[] {
  const edits = event === 'updated' || event === 'corrected' || event === 'corrections kept'
  const hidden = new Set([...technical, ...(edits ? [] : [...implied, ...naming])])
  return [...new Set([...Object.keys(now ?? {}), ...Object.keys(old ?? {})])]
    .filter((field) => !hidden.has(field))
    .map((field) => ({ field, before: old?.[field], after: now?.[field] }))
    .map(({ field, before, after }) => {
      const both = before !== undefined && after !== undefined
      return {
        field,
        both,
        text: both ? changeText(field, before, after, telling) : singleText(field, after ?? before, telling),
      }
    })
    .filter(({ text }) => text !== '')
}

function changeText(field: string, before: unknown, after: unknown, telling: Telling): string {
  const text = (value: unknown) => textOf(field, value, telling)
  if (!Array.isArray(before) || !Array.isArray(after)) return `${text(before)} → ${text(after)}`
  return shortened(listChange(before, after, text), 2 * telling.limits.longest)
}

const singleText = (field: string, value: unknown, telling: Telling) =>
  isEmpty(value) ? '' : textOf(field, value, telling)

const textOf = (field: string, value: unknown, { locale, words, limits }: Telling) =>
  shortened(auditValueText(value, field, locale, words), limits.longest)

const isEmpty = (value: unknown) =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)

/** The values that were added to a list, and those that were removed. */
function listChange(before: unknown[], after: unknown[], text: (one: unknown) => string): string {
  const known = (list: unknown[]) => new Set(list.map((one) => JSON.stringify(one)))
  const [had, has] = [known(before), known(after)]
  const came = after.filter((one) => !had.has(JSON.stringify(one))).map((one) => `+ ${text(one)}`)
  const went = before.filter((one) => !has.has(JSON.stringify(one))).map((one) => `− ${text(one)}`)
  return [...came, ...went].join(', ')
}

/** The end of a sentence, which names the changed fields. */
function ending({ erased }: Entry, changes: Change[], { locale, words, limits }: Telling): string {
  if (erased) return ` — ${say.erased[locale]}`
  if (changes.length === 0) return ''
  const more = changes.length - limits.most
  const pairs = changes
    .slice(0, limits.most)
    .map(({ field, text }) => auditPair(lowered(auditFieldName(field, locale, words)), text, locale))
  const rest = more > 0 ? [say.more[locale].replace('{0}', String(more))] : []
  return ` — ${auditList([...pairs, ...rest], locale)}`
}

/** `date of birth`, and « Date de naissance » as it stands in the form, which needs no article. */
function fieldText(field: string, { locale, words }: Telling): string {
  const name = auditFieldName(field, locale, words)
  return locale === 'fr' ? `« ${name} »` : lowered(name)
}

/** A label inside a sentence; CAP and AE stay. */
const lowered = (label: string) =>
  /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

const shortened = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text

/** Joins neighbouring parts without a link into one, and capitalises the first letter. */
function joined(pieces: Sentence): Sentence {
  const out: Sentence = []
  for (const part of pieces) {
    const last = out.at(-1)
    if (last && !last.link && !part.link) last.text += part.text
    else out.push({ ...part })
  }
  const [first] = out
  if (first) first.text = first.text.charAt(0).toUpperCase() + first.text.slice(1)
  return out
}
