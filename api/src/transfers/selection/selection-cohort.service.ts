import type { Locale } from '@portal/contracts/sentences'
import type { Selection, SelectionCohort } from '@portal/contracts/transfers/target-selection'
import { limits } from '@portal/excel/limits'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { conflict, invalid } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { uploadCohort } from '../cohorts/cohort-upload.service.ts'
import { exportName } from '../export-names.ts'
import { say as transferSay } from '../messages.ts'
import { countSelection } from './selection-counts.service.ts'
import { asUpload, writeSelection } from './target-selection.export.ts'
import { say } from './target-selection.messages.ts'

/**
 * Makes a cohort of a selection: writes its Excel file and hands it to the service of uploads. Staging, review, checks and
 * the answer for a cohort that exists already are those of an upload (Imports 4.5).
 */
export async function makeSelectedCohort(
  context: Context,
  actor: Actor,
  locale: Locale,
  body: SelectionCohort,
  review: boolean,
) {
  const { db, storage } = context
  const { name, description, from, to, transfer_agency_id, transfer_parameter_id, ...selection } = body
  await checkAgency(db, transfer_agency_id, selection)
  await checkSize(db, selection)
  const path = await storage.temp()
  try {
    await writeSelection(db, path, locale, { ...selection, type: 'mobile_money' })
    const target_list_file = await asUpload(path, `${exportName('target-list', name)}.xlsx`)
    const form = { name, description, from, to, transfer_agency_id, transfer_parameter_id, headings: '{}' }
    return await uploadCohort(context, actor, { ...form, target_list_file }, review, selection)
  } finally {
    await storage.drop(path)
  }
}

/** An agency that is missing or inactive is refused by the service of uploads. */
async function checkAgency(db: Db, id: number, { country }: Selection) {
  const [agency] = await rows(
    db,
    sql<{ type: string; country: string }>`select type, country from transfer_agencies where id = ${id}`,
  )
  if (!agency) return
  if (agency.type === 'bank') throw invalid({ transfer_agency_id: say.noAccounts }, transferSay.uploadInvalid)
  if (agency.country !== country)
    throw invalid({ transfer_agency_id: say.otherCountry }, transferSay.uploadInvalid)
}

async function checkSize(db: Db, selection: Selection) {
  const { steps } = await countSelection(db, { ...selection, transfer_parameter_id: undefined })
  if (steps.conditions === 0) throw conflict(say.noGirl)
  if (steps.conditions > limits.rows) throw conflict(say.tooMany, steps.conditions, limits.rows)
}
