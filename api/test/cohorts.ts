import { afterAll } from 'vitest'
import type { Settings } from '../src/kit/process/settings.ts'
import type { Client } from './client.ts'
import { rowXml, sheetXml, workbookParts, zip } from './imports/workbooks.ts'
import { addPeople } from './people.ts'
import { type Portal, startPortal, until } from './portal.ts'
import { type Agency, startAgency } from './transfers/agencies/agency.ts'

type Cell = string | number | null
/** Headings of a target list, in the order of `recipient`. */
export const headings = [
  'receiver_first_name',
  'receiver_last_name',
  'receiver_phone_number',
  'student_code',
  'amount',
]

/** A workbook as a file to upload. */
export function sheetFile(rows: Cell[][], name = 'list.xlsx', type = ''): File {
  const bytes = zip(workbookParts([{ name: 'List', xml: sheetXml(rows.map(rowXml).join('')) }]))
  return new File([new Uint8Array(bytes)], name, { type })
}

/** Row `n` (from 1) of a valid list. The last two digits of the number decide how the agency behaves. */
export function recipient(n: number, fields: { lastTwo?: number; amount?: Cell; phone?: Cell } = {}): Cell[] {
  const lastTwo = fields.lastTwo ?? 10 + (n % 90)
  const phone =
    fields.phone === undefined ? `+2237${String(n * 100 + lastTwo).padStart(7, '0')}` : fields.phone
  return [
    'Fatoumata',
    `Coulibaly ${n}`,
    phone,
    `KYS-${String(n).padStart(6, '0')}`,
    fields.amount === undefined ? null : fields.amount,
  ]
}

/** A list of `size` valid rows. */
export const listOf = (size: number) =>
  sheetFile([headings, ...Array.from({ length: size }, (_, n) => recipient(n + 1))])

const isoDay = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
/** The day that is `ahead` days from today, in UTC. */
export const dayFromNow = isoDay

type Form = Record<string, string | number | File>
/** The upload form, filled in; `more` replaces fields, an undefined one is left out. */
export function cohortForm(
  file: File,
  fields: Record<string, string | number | File | undefined> = {},
): Form {
  const form = {
    name: 'Kayes, term 1',
    description: 'Grant of the first term',
    from: isoDay(0),
    to: isoDay(27),
    transfer_agency_id: 1,
    transfer_parameter_id: 1,
    target_list_file: file,
    ...fields,
  }
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Form
}

export type Stage = {
  portal: Portal
  agency: Agency
  /** The person who uploads. */
  officer: Client & { user: { id: number; email: string } }
  /** The person who approves. She is not the one who uploads. */
  approver: Client & { user: { id: number; email: string } }
  upload(
    file: File,
    fields?: Record<string, string | number | File | undefined>,
  ): ReturnType<Client['upload']>
  /** Waits until the import has ended and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the api, checked against its contract there
  ended(importId: number): Promise<any>
  /** Uploads a list, waits until it is imported, and returns the id of its cohort. */
  imported(
    name: string,
    rows: Cell[][],
    fields?: Record<string, string | number | undefined>,
  ): Promise<number>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  cohort(id: number): Promise<any>
  approve(id: number, fields?: object): ReturnType<Client['post']>
  /** Waits until the counters of the progress call satisfy a condition, and returns them. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  progress(id: number, holds: (now: any) => boolean, ms?: number): Promise<any>
}

/** Changes an agency's address or account: one administrator proposes, another confirms. */
export async function changeAgency(
  portal: Portal,
  id: number,
  change: { endpoint?: string; details?: string },
) {
  const [one, other] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
  // Another address asks for the details anew; an agency of the stage has no credentials.
  const details = JSON.stringify({ protocol: 'sandbox' })
  const proposed = await one.put(`/admin/transfers/agency/${id}`, { details, ...change })
  if (proposed.status !== 202) return proposed
  const { rows } = await portal.owner.query(
    "select id from transfer_agency_changes where agency_id = $1 and state = 'proposed'",
    [id],
  )
  return other.post(`/admin/transfers/agency/changes/${rows[0].id}/decide`, { action: 'confirmed' })
}

/** Starts a portal and an agency, with students, an officer and an approver. */
export async function startStage(
  students: number,
  options: { settings?: Partial<Settings>; agency?: Record<string, string>; agencyHosts?: string[] } = {},
): Promise<Stage> {
  const agency = await startAgency(options.agency)
  afterAll(() => agency.close())
  const portal = await startPortal({
    agencyHosts: [agency.host, ...(options.agencyHosts ?? [])],
    ...options.settings,
  })
  await addPeople(portal.db, students, agency.url)
  const officer = await portal.signedInAs('Transfer Officer')
  const approver = await portal.signedInAs('Transfer Approver')
  const stage: Stage = {
    portal,
    agency,
    officer,
    approver,
    upload: (file, fields) => officer.upload('/admin/transfers/cohorts/import', cohortForm(file, fields)),
    ended: (importId) =>
      until(async () => {
        const { body } = await officer.get(`/imports/${importId}`)
        return ['imported', 'failed', 'cancelled'].includes(body.import?.state) && body.import
      }, 60_000),
    async imported(name, rows, fields = {}) {
      const sent = await stage.upload(sheetFile([headings, ...rows]), { name, ...fields })
      if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
      const made = await stage.ended(sent.body.import.id)
      if (made.state !== 'imported') throw new Error(JSON.stringify(made))
      return sent.body.cohort.id
    },
    cohort: async (id) => (await officer.get(`/admin/transfers/cohorts/${id}/summary`)).body.cohort,
    approve: (id, fields = {}) =>
      approver.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved', ...fields }),
    progress: (id, holds, ms = 30_000) =>
      until(async () => {
        const { body } = await approver.get(`/admin/transfers/cohorts/${id}/progress`)
        return holds(body) && body
      }, ms),
  }
  return stage
}
