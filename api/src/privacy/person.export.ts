import { dirname, join } from 'node:path'
import type { PersonKind } from '@portal/contracts/access/person-data'
import { writeZip } from '../excel/zip-writer.ts'
import type { Actor } from '../kit/http/session.ts'
import { type ExportTask, registerExport } from '../kit/jobs/exports.ts'
import type { Context } from '../kit/process/context.ts'
import { readableShelves } from '../modules/readable-shelves.service.ts'
import { rowsIn, writePerson } from './export-person.service.ts'
import { findCases, findPerson, type Person } from './person.service.ts'

export const personExport = 'person'

/** The person of an archive, the cases about her, the reason, and what the person who asked for it was allowed to see. */
export type PersonExport = {
  kind: PersonKind
  id: number
  subject: Person['subject']
  cases: string[]
  reason: string
  /** Texts of all cases. An archive that was asked for before this was noted has them, and maternal status and disability. */
  all_cases: boolean
  sensitive: boolean
  /** The collections whose records they may read. An archive that was asked for before this was noted has the records of all. */
  records?: string[]
}

/** Registers the export of one person: the folder of `npm run person:export`, as an archive (Access 7.6). */
export function registerPersonExport() {
  registerExport<PersonExport>(personExport, {
    allowed: async (actor, { cases, all_cases, sensitive, records }, { db, registry }) =>
      actor.can('people.export') &&
      (all_cases === false || actor.can('cases.view')) &&
      (sensitive === false || actor.can('students.sensitive')) &&
      (await readsAll(registry, actor, records)) &&
      !(await findCases(db, cases, actor)).missing,
    subject: ({ subject, reason, cases }) => ({ ...subject, filters: { reason, cases } }),
    event: 'person exported',
    archive: true,
    write: writeArchive,
  })
}

/** Whether this person may read the records of all these collections now. Of an old archive nobody knows which it has. */
async function readsAll(registry: Context['registry'], actor: Actor, records: string[] | undefined) {
  if (!records?.length) return records !== undefined
  const now = await readableShelves(registry, actor)
  return records.every((shelf) => now.includes(shelf))
}

async function writeArchive(context: Context, { params, path, progress }: ExportTask<PersonExport>) {
  const { ids } = await findCases(context.db, params.cases)
  const person = await findPerson(context.db, { by: params.kind, id: params.id }, ids)
  if (!person) throw new Error(`The ${params.kind} ${params.id} was erased before the export was written`)
  // The folder is beside the archive, and is deleted with it when the archive is kept or dropped.
  const folder = join(dirname(path), 'person')
  const sight = {
    cases: params.all_cases === true,
    sensitive: params.sensitive === true,
    records: params.records ?? [],
  }
  const { parts, documents } = await writePerson(context, person, folder, sight)
  const names = ['person.xlsx', 'person.json', ...documents]
  await writeZip(
    path,
    names.map((name) => ({ name, path: join(folder, name) })),
  )
  const rows = rowsIn(parts)
  await progress(rows, rows)
  return { rows, columns: [...new Set(parts.map(({ what }) => what))] }
}
