import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cohortForm, dayFromNow, headings, listOf, recipient, sheetFile, startStage } from '../../cohorts.ts'
import { rowXml, sheetXml, workbookParts, zip } from '../../imports/workbooks.ts'

const stage = await startStage(20)
const { portal, officer, upload } = stage
const french = { 'accept-language': 'fr' }
const asExcel = (content: string | Buffer, name = 'list.xlsx') =>
  new File([new Uint8Array(Buffer.from(content))], name)

/** What an upload leaves in the database. A refused upload must leave nothing. */
async function traces() {
  const { rows } = await portal.owner.query(`select (select count(*) from transfer_cohorts) as cohorts,
    (select count(*) from imports) as imports, (select count(*) from files) as files,
    (select count(*) from pgboss.job where name = 'import') as jobs`)
  return rows[0]
}

test.each<[string, File, string, string]>([
  [
    'a text file named like Excel',
    asExcel('receiver_first_name,receiver_last_name\nAwa,Diarra\n'),
    'This is a text file (CSV). Open it in Excel and save it as .xlsx.',
    'C’est un fichier texte (CSV). Ouvrez-le dans Excel et enregistrez-le en .xlsx.',
  ],
  [
    'a PDF named like Excel',
    asExcel('%PDF-1.7\n%âãÏÓ'),
    'This is a PDF, not an Excel file. Export the list as .xlsx and choose that file.',
    'C’est un PDF, pas un fichier Excel. Exportez la liste en .xlsx et choisissez ce fichier.',
  ],
  [
    'noise named like Excel',
    asExcel(Buffer.concat([Buffer.from([0, 255, 1, 254]), randomBytes(3000)])),
    'This is not an Excel file.',
    'Ce n’est pas un fichier Excel.',
  ],
  [
    'a workbook cut in half',
    asExcel(
      Buffer.from(zip(workbookParts([{ name: 'A', xml: sheetXml(rowXml(headings)) }])).subarray(0, 500)),
    ),
    'The file is cut off or damaged. Open it in Excel, save it again and choose it once more.',
    'Le fichier est tronqué ou endommagé. Ouvrez-le dans Excel, enregistrez-le à nouveau et choisissez-le encore.',
  ],
  ['a file of no bytes', asExcel(''), 'The file is empty.', 'Le fichier est vide.'],
  ['a workbook without a cell', sheetFile([]), 'The workbook is empty.', 'Le classeur est vide.'],
  [
    'a workbook with headings only',
    sheetFile([headings]),
    'The sheet has headings, but no row below them.',
    'La feuille a des en-têtes, mais aucune ligne en dessous.',
  ],
  [
    'a workbook of something else',
    sheetFile([
      ['School', 'Region'],
      ['Kayes Khasso 1', 'Kayes'],
    ]),
    'The headings of this list were not found in the first rows. Needed are: Receiver first name, Receiver last name, Receiver phone number, Student code.',
    'Les en-têtes de cette liste sont introuvables dans les premières lignes. Il faut\u00a0: Prénom du destinataire, Nom du destinataire, Téléphone du destinataire, Code de l’élève.',
  ],
  [
    'a workbook without the code’s heading',
    sheetFile([headings.slice(0, 3), recipient(1).slice(0, 3)]),
    'Headings are missing: Student code.',
    'Il manque des en-têtes\u00a0: Code de l’élève.',
  ],
  [
    'a workbook with a heading twice',
    sheetFile([
      [...headings, 'Montant'],
      [...recipient(1), 5],
    ]),
    'Headings stand there more than once: Amount.',
    'Des en-têtes figurent plusieurs fois\u00a0: Montant.',
  ],
  [
    'a list named .csv',
    asExcel('a', 'list.csv'),
    'Choose an Excel file (.xlsx or .xls).',
    'Choisissez un fichier Excel (.xlsx ou .xls).',
  ],
])('an officer who uploads %s is told so beside the file, and nothing is made', async (_, file, en, fr) => {
  const before = await traces()
  const refused = await upload(file)
  expect(refused).toMatchObject({ status: 422, body: { errors: { target_list_file: [en] } } })
  const refuse = await officer.upload('/admin/transfers/cohorts/import', cohortForm(file), french)
  expect(refuse).toMatchObject({ status: 422, body: { errors: { target_list_file: [fr] } } })
  expect(await traces()).toEqual(before)
})

test('an officer’s list of 200,001 rows is refused at once, and one of 200,000 is not', {
  timeout: 90_000,
}, async () => {
  const before = await traces()
  const row = rowXml(['A', 'B', '76000010', 'KYS-000001', null])
  const of = (count: number) =>
    asExcel(zip(workbookParts([{ name: 'List', xml: sheetXml(rowXml(headings) + row.repeat(count)) }])))
  const refused = await upload(of(200_001), { name: 'Too long' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.target_list_file).toEqual([
    'The sheet has more than 200,000 rows. Split it into several files.',
  ])
  expect(await traces()).toEqual(before)
  expect((await upload(of(200_000), { name: 'Just long enough' })).status).toBe(200)
})

test('an officer’s file over 20 MB is refused at the field, and one over 25 MB before it is read', {
  timeout: 60_000,
}, async () => {
  const heavy = await upload(asExcel(Buffer.alloc(20 * 1024 * 1024 + 1, 'PK')))
  expect(heavy).toMatchObject({
    status: 422,
    body: { errors: { target_list_file: ['The file is larger than 20 MB.'] } },
  })
  const heavier = await upload(asExcel(Buffer.alloc(25 * 1024 * 1024 + 1, 'PK')))
  expect(heavier).toMatchObject({ status: 413, body: { message: 'What you sent is larger than 25 MB.' } })
})

test.each([
  ['name', 'Fill in this field.'],
  ['description', 'Fill in this field.'],
  ['from', 'Fill in this field.'],
  ['to', 'Fill in this field.'],
  ['transfer_agency_id', 'Choose a transfer agency.'],
  ['transfer_parameter_id', 'Choose a transfer parameter.'],
  ['target_list_file', 'Choose a file.'],
])('an officer who leaves out %s is told so at that field', async (field, sentence) => {
  const missing = await upload(listOf(1), { [field]: undefined })
  expect(missing.status).toBe(422)
  expect(missing.body.errors).toEqual({ [field]: [sentence] })
  if (field === 'target_list_file') return
  const blank = await upload(listOf(1), { [field]: ' ' })
  expect(Object.keys(blank.body.errors)).toEqual([field])
})

test('an officer who sends an empty form reads an error for every field, and one for the form', async () => {
  const empty = await officer.upload('/admin/transfers/cohorts/import', { nothing: 'here' })
  expect(empty.status).toBe(422)
  expect(empty.body.message).toBe('Error: Form has validation errors!')
  expect(Object.keys(empty.body.errors).sort()).toEqual(Object.keys(cohortForm(listOf(1))).sort())
})

test.each<[string, Record<string, string | number>, Record<string, string[]>]>([
  [
    'a period that ends before it starts',
    { from: dayFromNow(3), to: dayFromNow(2) },
    { to: ['The end date is before the start date.'] },
  ],
  [
    'a period that is over',
    { from: dayFromNow(-9), to: dayFromNow(-1) },
    { to: ['This period is already over.'] },
  ],
  ['a day that does not exist', { to: '2030-02-30' }, { to: ['Write a date that exists, as dd/mm/yyyy.'] }],
  [
    'a day written as on paper',
    { from: '01/02/2030' },
    { from: ['Write a date that exists, as dd/mm/yyyy.'] },
  ],
  [
    'too long a period',
    { to: dayFromNow(366 * 11) },
    {
      to: [
        expect.stringMatching(
          /^This period would make 1[23]\d rounds; at most 120 are possible\.$/,
        ) as unknown as string,
      ],
    },
  ],
  [
    'a period of ten thousand years',
    { from: '0001-01-01', to: '9999-12-31' },
    { to: ['This period is longer than 20 years. Correct one of its dates.'] },
  ],
  [
    'an agency that is not there',
    { transfer_agency_id: 999 },
    { transfer_agency_id: ['This transfer agency is not available. Choose an active one.'] },
  ],
  [
    'a parameter that is not there',
    { transfer_parameter_id: 999 },
    { transfer_parameter_id: ['This transfer parameter is not available. Choose an active one.'] },
  ],
  [
    'an agency of letters',
    { transfer_agency_id: 'abc' },
    { transfer_agency_id: ['Choose a transfer agency.'] },
  ],
  ['a name of 256 letters', { name: 'a'.repeat(256) }, { name: ['Write at most 255 characters.'] }],
])('an officer who sends %s is told so at the field', async (_, fields, errors) => {
  const before = await traces()
  const refused = await upload(listOf(1), fields)
  expect(refused).toMatchObject({
    status: 422,
    body: { message: 'Error: Form has validation errors!', errors },
  })
  expect(Object.keys(refused.body.errors)).toEqual(Object.keys(errors))
  expect(await traces()).toEqual(before)
})

test('an officer cannot use a deactivated agency, a deactivated parameter, or both', async () => {
  const admin = await portal.signedInAs('Administrator')
  await admin.put('/admin/transfers/agency/1', { status: 'inactive' })
  await admin.put('/admin/transfers/parameter/1', { status: 'inactive' })
  const refused = await officer.upload('/admin/transfers/cohorts/import', cohortForm(listOf(1)), french)
  expect(refused.body.errors).toEqual({
    transfer_agency_id: ['Cette agence de transfert n’est pas disponible. Choisissez-en une active.'],
    transfer_parameter_id: ['Ce paramètre de transfert n’est pas disponible. Choisissez-en un actif.'],
  })
  await admin.put('/admin/transfers/agency/1', { status: 'active' })
  await admin.put('/admin/transfers/parameter/1', { status: 'active' })
  expect((await upload(listOf(1), { name: 'Active again' })).status).toBe(200)
})

test('an officer who types a zero byte in a name reads an error at the field instead of an internal error', async () => {
  const refused = await upload(listOf(1), { name: 'Ka\u0000yes' })
  expect(refused.status).toBe(422)
})

test('only a person who may upload reaches the call, and only with a multipart form', async () => {
  const { approver } = stage
  const barred = await approver.upload('/admin/transfers/cohorts/import', cohortForm(listOf(1)))
  expect(barred).toMatchObject({ status: 403, body: { message: 'You do not have the permission for this.' } })
  expect((await officer.post('/admin/transfers/cohorts/import', { name: 'JSON' })).status).toBe(415)
  const out = await (await portal.visitor()).upload('/admin/transfers/cohorts/import', cohortForm(listOf(1)))
  expect(out.status).toBe(401)
})
