import { type SheetKind, sheetKinds } from '@portal/contracts/imports'
import type { Column, Sheet } from '@portal/contracts/imports/sheet'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { writeSample } from '../excel/sample.ts'
import { type Db, rows } from '../kit/database/db.ts'
import { FileAnswer, xlsxType } from '../kit/files/files.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { allow, importDomain } from './import-domains.service.ts'

/** The sample workbook of an import, for people who may import that kind. */
export async function readSample(context: Context, actor: Actor, locale: Locale, fileName: string) {
  const { db, storage } = context
  const kind = sheetKinds.find((name) => fileName === `${name}.xlsx`)
  if (!kind) throw notFound()
  await allow(context, actor, { kind, params: {} })
  const sheet = await withLists(db, await sheetFor(db, actor, kind))
  const content = await storage.once((path) => writeSample(path, sheet, locale))
  return new FileAnswer(content, fileName, xlsxType)
}

/** The sample of a target list is the one for mobile money, because it is requested most often. */
function sheetFor(db: Db, actor: Actor, kind: SheetKind): Promise<Sheet> {
  const params = { sensitive: actor.can('students.sensitive'), type: 'mobile_money' }
  return importDomain(kind).sheet(db, params, null)
}

async function withLists(db: Db, sheet: Sheet): Promise<Sheet> {
  const found = await rows(
    db,
    sql<{ list: string; codes: string[] }>`
      select list, array_agg(code order by position, id) as codes from reference_values where active group by list
    `,
  )
  const codes = new Map(found.map((row) => [row.list, row.codes]))
  const columns = Object.entries<Column>(sheet.columns).map(([name, column]) => {
    const options = codes.get(column.list ?? '')
    return [name, options ? { ...column, options } : column]
  })
  return { ...sheet, columns: Object.fromEntries(columns) as Sheet['columns'] }
}
