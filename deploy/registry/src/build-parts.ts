import { actionWords, resourceWords } from '@portal/contracts/access/permission-words'
import type { BuildPart } from '@portal/contracts/modules'
import type { Text } from '@portal/contracts/sentences'
import type { ItemKind } from '@portal/sdk/extensions'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { permissionsAsked } from '@portal/sdk/own-permissions'

/** A part of a build: `value` tells it apart, `words` are what an administrator reads in its place. */
export type Part = Pick<BuildPart, 'value' | 'words'>

const plain = (values: readonly string[]): Part[] => values.map((value) => ({ value }))

/** A part that is known by its English words, because it has no shorter name. */
const partOf = (words: Text): Part => ({ value: words.en, words })

/** Something with a name of its own, and what it is called. */
const named = (value: string, label: Text | undefined): Part =>
  label ? { value, words: { en: `${label.en} (${value})`, fr: `${label.fr} (${value})` } } : { value }

/** A permission of the portal in words. */
function permissionOf(name: string): Part {
  const [resource = '', action = ''] = name.split('.')
  const about = (resourceWords as Record<string, Text>)[resource]
  const act = (actionWords as Record<string, Text>)[action]
  return named(name, about && act && { en: `${about.en}: ${act.en}`, fr: `${about.fr} : ${act.fr}` })
}

const things: Record<ItemKind, Text> = {
  school: { en: 'school', fr: 'établissement' },
  student: { en: 'student', fr: 'élève' },
  case: { en: 'case', fr: 'dossier' },
}
const on = (kind: ItemKind, title: Text) =>
  partOf({ en: `${things[kind].en}: ${title.en}`, fr: `${things[kind].fr} : ${title.fr}` })
const inMenu = (kind: ItemKind, label: Text) =>
  partOf({
    en: `${things[kind].en}, in the menu: ${label.en}`,
    fr: `${things[kind].fr}, dans le menu : ${label.fr}`,
  })
const inList = (kind: ItemKind, label: Text) =>
  partOf({
    en: `${things[kind].en}, in the list: ${label.en}`,
    fr: `${things[kind].fr}, dans la liste : ${label.fr}`,
  })

const inRecords: Record<ItemKind | 'picture', Text> = { ...things, picture: { en: 'pictures', fr: 'images' } }

/** A collection with the kinds of things that its records lead to, and that its pages search by name, and whether they have pictures. */
function kept({ name, label, fields = [] }: ModuleBuild['collections'][number]): Part {
  const kinds = [...new Set(fields.flatMap(({ to, type }) => (type === 'picture' ? type : (to ?? []))))]
  const part = named(name, label)
  if (kinds.length === 0) return part
  const { en, fr } = part.words ?? { en: name, fr: name }
  const called = (locale: keyof Text) => kinds.map((kind) => inRecords[kind][locale]).join(', ')
  return {
    value: `${name} → ${kinds.join(', ')}`,
    words: { en: `${en} → ${called('en')}`, fr: `${fr} → ${called('fr')}` },
  }
}

/** An event with the names of what it carries. */
function eventPart({ id, title, fields }: NonNullable<ModuleBuild['events']>[number]): Part {
  const names = fields.map(({ name }) => name).join(', ')
  return partOf({
    en: `tells ${id}${names && `: ${names}`}`,
    fr: `annonce « ${title.fr} » (${id})${names && ` : ${names}`}`,
  })
}

/** What a build adds to the portal, by kind. */
export function partsOf(details: ModuleBuild): Record<BuildPart['kind'], Part[]> {
  const own = details.permissions.map(({ name }) => name)
  const asked = permissionsAsked(details).filter((name) => !own.includes(name))
  return {
    route: plain(details.routes),
    permission: details.permissions.map(({ name, label }) => named(name, label)),
    needs: [...new Set(asked)].map(permissionOf),
    collection: details.collections.map(kept),
    backend: plain((details.backends ?? []).map(({ name, url }) => `${name} ${url}`)),
    images: plain(details.images ?? []),
    card: details.cards.map(({ title }) => partOf(title)),
    extension: [
      ...(details.tabs ?? []).map((tab) => on(tab.on, tab.title)),
      ...(details.rows ?? []).map((row) => inMenu(row.on, row.label)),
      ...(details.columns ?? []).map((column) => inList(column.on, column.label)),
      ...(details.reports ?? []).map(({ title }) =>
        partOf({ en: `reports: ${title.en}`, fr: `rapports : ${title.fr}` }),
      ),
      ...(details.notices ?? []).map(({ permission, title }) =>
        partOf({
          en: `bell of ${permission}: ${title.en}`,
          fr: `cloche de ${permission} : ${title.fr}`,
        }),
      ),
      // Notifications and the audit log lead there.
      ...(details.links ?? []).map(({ kind, link }) =>
        partOf({ en: `shows ${kind}: ${link}`, fr: `montre ${kind} : ${link}` }),
      ),
      ...(details.first_day ?? []).map(({ permission, title }) => {
        const whose = [permission].flat().join(', ')
        return partOf({
          en: `first day of ${whose}: ${title.en}`,
          fr: `premier jour de ${whose} : ${title.fr}`,
        })
      }),
    ],
    event: [
      ...(details.events ?? []).map(eventPart),
      ...(details.listens ?? []).map((event) => partOf({ en: `hears ${event}`, fr: `entend ${event}` })),
    ],
    call: plain([...new Set([...(details.calls ?? []), ...(details.search ?? []).map(({ call }) => call)])]),
  }
}
