import ExcelJS from 'exceljs'
import { expect, test } from 'vitest'
import { asConsultant, caseStage, expert, file, inviteOf, pdf } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { reviewer, filer, fileCase } = await caseStage(portal)
await portal.worker()

/** Texts of one case, each with a word that is nowhere else. */
const { id, number } = await fileCase(filer, {
  title: 'Titleword: Aminata Keita was not paid',
  description: 'Descriptionword',
  plaintiff: 'Plaintiffword',
})
await reviewer.post('/admin/cases/activity', {
  complain_id: id,
  note: 'Noteword',
  channel_id: (await reviewer.get('/admin/cases')).body.complainChannels[0].id,
})
await reviewer.upload('/admin/cases/file', {
  complain_id: id,
  description: 'Proofword',
  file: file('fileword.pdf', pdf),
})
await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })
const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, number))
await consultant.answer({ comment: 'Commentword', reject: 'false' })
await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', verdict: 'Verdictword' })
const texts =
  /Titleword|Aminata|Descriptionword|Plaintiffword|Noteword|Proofword|fileword|Commentword|Verdictword|Ibrahima|Ndiaye|ibra@|Telecom/g

type Entry = { event: string; sentence: { text: string }[]; new_values: Record<string, unknown> | null }
const entries = async (who: Client, query = 'per_page=100'): Promise<Entry[]> =>
  (await who.get(`/admin/users/audit/logs?${query}`)).body.logs.data
const wordsIn = (value: unknown) => [...new Set(JSON.stringify(value).match(texts) ?? [])].length
async function exported(who: Client) {
  const accepted = await who.post('/admin/users/audit/logs/export', {})
  const bytes = await until(async () => {
    const answer = await who.get(`/storage/exports/${accepted.body.file_name}`)
    return answer.status === 200 && answer.bytes
  })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  const cells: unknown[] = []
  book.worksheets[0]?.eachRow((row) => cells.push(row.values))
  return { cells, file_name: accepted.body.file_name as string }
}

test('a person who may not read a case reads in the log that its texts changed, and none of them', async () => {
  const outsider = await portal.signedIn('audit-logs.view')
  const log = await entries(outsider)
  expect(wordsIn(log)).toBe(0)
  const hidden = { en: '(confidential)', fr: '(confidentiel)' }
  expect(log.find(({ event }) => event === 'resolved')?.new_values).toEqual({
    status: 'resolved',
    verdict: hidden,
    without_version: true,
  })
  expect(log.find(({ event }) => event === 'created')?.new_values).toMatchObject({
    number,
    title: hidden,
    description: hidden,
    plaintiff: hidden,
    priority: 'high_1_day',
  })
  expect(log.find(({ event }) => event === 'answered')?.new_values).toMatchObject({ comment: hidden })
  const said = log.find(({ event }) => event === 'activity recorded')?.sentence.map(({ text }) => text)
  expect(said?.join('')).toContain('note: (confidential)')
  for (const word of ['Titleword', 'Verdictword', 'Ndiaye'])
    expect(await entries(outsider, `per_page=100&search=${word}`)).toEqual([])
  expect(wordsIn((await exported(outsider)).cells)).toBe(0)
})

test('whoever may read all cases reads their texts in the log and its export, until the right is taken away', async () => {
  const trusted = await portal.signedIn('audit-logs.view', 'cases.view')
  expect(wordsIn(await entries(trusted))).toBeGreaterThan(10)
  const { cells, file_name } = await exported(trusted)
  expect(wordsIn(cells)).toBeGreaterThan(10)
  await portal.owner.query(
    `delete from role_permissions rp using permissions p, user_roles ur
     where p.id = rp.permission_id and p.name = 'cases.view' and ur.role_id = rp.role_id and ur.user_id = $1`,
    [trusted.user.id],
  )
  await portal.owner.query('update roles set name = name')
  expect((await trusted.get(`/storage/exports/${file_name}`)).status).toBe(403)
})

test('a person who filed a case reads its texts in the log, and those of no other case', async () => {
  const own = await portal.signedIn('audit-logs.view', 'cases.create')
  await fileCase(own, { title: 'Owntitle', description: 'Owndescription' })
  const log = await entries(own)
  expect(JSON.stringify(log)).toMatch(/Owndescription/)
  expect(wordsIn(log)).toBe(0)
})
