import type { AuditLog } from '@portal/contracts/audit'
import type { Locale } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { openLinks } from '../modules/module-links.service.ts'
import { readableShelves } from '../modules/readable-shelves.service.ts'
import { recordsOf, wordsFor } from './audit-field-words.service.ts'
import {
  type Name,
  namesIn,
  pointingOf,
  type Reader,
  type StoredAudit,
  withNames,
} from './audit-names.service.ts'
import { forReader } from './audit-reader.service.ts'
import { auditSentence, type Limits } from './audit-sentence.ts'
import { visibleNouns } from './audit-subjects.service.ts'
import { asFilters, viewsInWords } from './audit-views.service.ts'

/** What a signed-in person may read of the log. */
export const readerNow = async (registry: PortalRegistry, actor: Actor, locale: Locale): Promise<Reader> => ({
  records: await readableShelves(registry, actor),
  visible: visibleNouns(actor),
  sensitive: actor.can('students.sensitive'),
  cases: actor.can('cases.view'),
  own: actor.id,
  locale,
})

type ReadContext = Pick<Context, 'db' | 'registry' | 'log'>

/** Adds to entries what they are about: its name, its code, its page, and all of it as a sentence. A constant number of queries. */
export async function inSentences(
  context: ReadContext,
  stored: readonly StoredAudit[],
  reader: Reader,
  limits: Limits,
): Promise<AuditLog[]> {
  const shown = await forReader(context.db, stored, reader)
  const entries = shown.map(asFilters)
  const records = await recordsOf(context, entries)
  const pointing = (entry: StoredAudit) => records(entry)?.references ?? pointingOf(entry.auditable_type)
  const [found, linkOf, wordsOf, inWords] = await Promise.all([
    namesIn(context.db, entries, pointing, reader),
    openLinks(context),
    wordsFor(context, entries),
    viewsInWords(context, entries),
  ])
  const name: Name = (noun, id) => {
    const subject = found(noun, id)
    return subject && { ...subject, link: linkOf({ ...subject, id: subject.page }) }
  }
  return entries.map((entry) => {
    const subject = name(entry.auditable_type, entry.auditable_id)
    const { name: auditable_name = null, code: auditable_code = null, link = null } = subject ?? {}
    const side = (values: StoredAudit['new_values']) =>
      inWords(entry, withNames(entry, pointing(entry), values, name))
    const [old_values, new_values] = [side(entry.old_values), side(entry.new_values)]
    const recorded = { ...entry, auditable_name, auditable_code, old_values, new_values }
    const telling = { locale: reader.locale, words: wordsOf(entry), limits }
    return { ...recorded, sentence: auditSentence({ ...recorded, link }, telling) }
  })
}
