import { moduleNoticeDefault } from '@portal/contracts/notices'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import { writeNotices } from '../home/notices.service.ts'
import { holdersOfModule } from '../home/notifications.service.ts'
import { audit } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { invalid, notFound, Refusal } from '../kit/http/refusals.ts'
import type { Call } from '../kit/http/serve.ts'
import { admitted } from './keepers.service.ts'
import { liveModule, runningBuilds } from './live-modules.ts'
import { say } from './messages.ts'
import { asAsked } from './record-changes.service.ts'
import { lockRecord } from './records.service.ts'
import type { Declared } from './shelves.ts'

/** The most notices of a module on one day, for all people together. */
const linesADay = 1_000

/** The longest value of a record in a line. */
const longest = 80

type Given = { notice: string; record: number }
type Data = Record<string, unknown>

/**
 * Tells people of a record, as the live manifest of its module declares it, and returns how many have a new line. Whoever
 * did it gets none, and neither does who was told of this version of the record before.
 */
export async function sendModuleNotice(call: Call, module: string, given: Given): Promise<number> {
  const { title, notice, collection } = await declaredNotice(call.registry, module, given.notice)
  const { by, keying } = await admitted(call, { module, collection }, 'write')
  return transaction(call.db, async (tx) => {
    const stored = await lockRecord(tx, { module, collection }, given.record)
    const [record = stored] = await asAsked(tx, { module, collection }, keying, [stored])
    const to = notice.to === undefined ? null : Number(record.data[notice.to] ?? 0)
    const people = await writeNotices(tx, {
      kind: module,
      subject: record.id,
      link: linkTo(notice.link, record),
      occasion: `${notice.id} ${record.version}`,
      text: JSON.stringify(inWords(title, notice.text, keying.declared, record.data)),
      // Mails leave the portal, so they have no value of the record (Messages 4.6).
      mailText: JSON.stringify({
        en: `${title.en}: ${notice.title.en}`,
        fr: `${title.fr} : ${notice.title.fr}`,
      }),
      usual: moduleNoticeDefault,
      receivers: sql`select h.id from (${holdersOfModule(module, notice.permission)}) h
        where ${to}::bigint is null or h.id = ${to}::bigint`,
      by: by.token ? null : by.user_id,
    })
    if (people === 0) return 0
    await countLines(tx, module, people)
    await audit(tx, by.author, 'people told', 'module record', record.id, {
      new: { module, collection, notice: notice.id, people, ...(by.token && { token: by.token.name }) },
    })
    return people
  })
}

/** A notice of a live module. Throws 404 for a module that is not live, and 422 for a notice that it does not declare. */
async function declaredNotice(registry: PortalRegistry, module: string, id: string) {
  const entry = await liveModule(registry, module)
  if (!entry || entry.disabled || entry.withheld) throw notFound()
  // A canary and a build for another major may declare it as well.
  for (const { title, notices = [] } of runningBuilds(entry)) {
    const notice = notices.find((each) => each.id === id)
    if (notice) return { title, notice, collection: notice.collection }
  }
  throw invalid({ notice: say.noticeUnknown(id) })
}

/** Counts lines of a module's day. Throws 429, and with it nobody is told, when they are more than it may give. */
async function countLines(tx: Tx, module: string, lines: number) {
  const counted = await sql<{ sent: number }>`
    insert into module_notice_days as d (module, day, sent) values (${module}, (now() at time zone 'utc')::date, ${lines})
    on conflict (module, day) do update set sent = d.sent + excluded.sent returning sent`.execute(tx)
  if ((counted.rows[0]?.sent ?? 0) > linesADay)
    throw new Refusal(429, say.noticesSpent, { parts: [linesADay] })
}

/** The title of the module first, so that no module speaks in the portal's name. */
function inWords(title: Text, text: Text, declared: Declared, data: Data): Text {
  const filled = (locale: Locale) =>
    text[locale].replace(/\{(\w+)\}/g, (_, field: string) => spoken(declared, field, data[field], locale))
  return { en: `${title.en}: ${filled('en')}`, fr: `${title.fr} : ${filled('fr')}` }
}

const locales: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR' }

function spoken({ fields = [] }: Declared, name: string, value: unknown, locale: Locale): string {
  const field = fields.find((each) => each.name === name)
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'number') return value.toLocaleString(locales[locale])
  if (typeof value === 'boolean')
    return value ? { en: 'yes', fr: 'oui' }[locale] : { en: 'no', fr: 'non' }[locale]
  const text = String(value)
  if (field?.type === 'day' && !Number.isNaN(Date.parse(text)))
    return new Date(`${text}T00:00:00Z`).toLocaleDateString(locales[locale], {
      timeZone: 'UTC',
      dateStyle: 'medium',
    })
  const label = field?.values?.find((each) => each.value === text) as { label?: Text } | undefined
  const words = label?.label?.[locale] ?? text
  return words.length > longest ? `${words.slice(0, longest - 1)}…` : words
}

const linkTo = (link: string, { id, data }: { id: number; data: Data }): string =>
  link.replace(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(field === 'id' ? id : String(data[field] ?? '')),
  )
