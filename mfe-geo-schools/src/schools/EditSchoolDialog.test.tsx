import type { School } from '@portal/contracts/registers'
import { type Answers, drawInShell } from '@portal/screens/test-host'
import { click, named, type } from '@portal/ui/test-render'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EditSchoolDialog } from './EditSchoolDialog.tsx'

const kita = { id: 31, name: 'KITA' }
const segou = { id: 32, name: 'SEGOU' }
const school: School = {
  id: 7,
  name: 'Coura',
  admin_code: 'ML-0007',
  type_of_school: 'public',
  admin_district_as_cap: 'CAP KITA',
  education_authority_as_ae: 'AE KITA',
  academic_year: '2026-2027',
  teachers: 0,
  students: 0,
  classes: 0,
  cap: { id: 1, name: 'CAP KITA', academy: { name: 'AE KITA' } },
  arrondissement_id: kita.id,
  arrondissement: kita,
  partners: [],
  created_at: '2026-11-01T08:00:00.000Z',
  version: 1,
}
const theirs: School = { ...school, arrondissement_id: segou.id, arrondissement: segou, version: 2 }

/** A server on which somebody else has moved the school since the dialog was opened. */
const movedMeanwhile: Answers = ({ method, url, body }) => {
  if (method === 'PUT')
    return (body as School).version === theirs.version
      ? { body: { message: 'School updated' } }
      : { status: 409, body: { message: 'Somebody else has changed this.' } }
  if (url.includes('/schools/7')) return { body: { school: theirs } }
  if (url.includes('/places')) return { body: { places: [] } }
  const type = [{ code: 'public', name: 'Public' }]
  const lists = { regions: [], cercles: [], academies: [], caps: [], partner_types: [], employment_types: [] }
  return { body: { ...lists, school_types: type, class_levels: [], languages: [] } }
}

const field = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label))?.htmlFor ??
      '',
  ) as HTMLInputElement
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(0)))
const save = async () => {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function secondSaves() {
  const drawn = await drawInShell(
    <EditSchoolDialog school={school} onClose={() => undefined} />,
    movedMeanwhile,
  )
  await settle()
  await type(field('School name'), 'Coura Nord')
  await save()
  const sent = () => drawn.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { ...drawn, sent }
}

test('an officer who saves over another one keeps the arrondissement that the other has chosen', async () => {
  const { sent, end } = await secondSaves()
  expect(document.querySelector('.changes')?.textContent).toContain('Arrondissement KITA')
  expect(document.querySelector('.changes')?.textContent).toContain('SEGOU')
  await click(named('Save mine over it'))
  await settle()
  expect(sent().at(-1)).toMatchObject({ name: 'Coura Nord', arrondissement_id: segou.id, version: 2 })
  await end()
})

test('an officer who takes what another one has saved sees the arrondissement in its field', async () => {
  const { sent, end } = await secondSaves()
  await click(named('Take theirs'))
  await settle()
  expect(field('Arrondissement').value).toBe('SEGOU')
  expect(field('School name').value).toBe('Coura')
  await save()
  expect(sent().at(-1)).toMatchObject({ name: 'Coura', arrondissement_id: segou.id, version: 2 })
  await end()
})

test('an officer reads that the school is being updated while she waits', async () => {
  const slow = Promise.withResolvers<{ body: unknown }>()
  const { end } = await drawInShell(<EditSchoolDialog school={school} onClose={() => undefined} />, (call) =>
    call.method === 'PUT' ? slow.promise : movedMeanwhile(call),
  )
  await settle()
  await save()
  expect(document.querySelector('[role="status"]')?.textContent).toBe('Updating school...')
  slow.resolve({ body: { message: 'School updated' } })
  await settle()
  expect(document.querySelector('[role="status"]')).toBeNull()
  await end()
})

const boundaries: Answers = (call) => {
  if (call.method === 'PUT') return { body: { message: 'School updated' } }
  if (call.url.includes('/schools/7') || call.url.includes('/places')) return movedMeanwhile(call)
  const lists = { regions: [], cercles: [], partner_types: [], employment_types: [], languages: [] }
  const academies = ['AE BAMAKO', 'AE KITA', 'AE MOPTI'].map((name, at) => ({
    id: at + 1,
    name,
    region_id: 1,
  }))
  const cap = (id: number, name: string, academy_id: number) => ({ id, name, academy_id, active: true })
  const caps = [cap(1, 'CAP KITA', 2), cap(2, 'CAP NORD', 1), cap(3, 'CAP NORD', 2), cap(4, 'CAP MOPTI', 3)]
  const types = { school_types: [{ code: 'public', name: 'Public' }], class_levels: [] }
  return { body: { ...lists, ...types, academies, caps } }
}

const select = (label: string) => field(label) as unknown as HTMLSelectElement
const choose = (label: string, value: string) =>
  act(async () => {
    select(label).value = value
    select(label).dispatchEvent(new Event('change', { bubbles: true }))
  })

async function editsPlaces() {
  const drawn = await drawInShell(<EditSchoolDialog school={school} onClose={() => undefined} />, boundaries)
  await settle()
  return drawn
}

test('a school moves to a CAP whose name two academies have, and stays in its own academy', async () => {
  const { calls, end } = await editsPlaces()
  await choose('CAP', 'CAP NORD')
  expect(select('AE').value).toBe('AE KITA')
  await save()
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    admin_district_as_cap: 'CAP NORD',
    education_authority_as_ae: 'AE KITA',
  })
  await end()
})

test('an officer is asked for the academy of a CAP that two others have', async () => {
  const { calls, end } = await editsPlaces()
  await choose('CAP', 'CAP MOPTI')
  expect(select('AE').value).toBe('AE MOPTI')
  await choose('CAP', 'CAP NORD')
  expect(select('AE').value).toBe('')
  await save()
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  await end()
})

test('an officer who takes her first CAP again has its academy again', async () => {
  const { end } = await editsPlaces()
  await choose('CAP', 'CAP MOPTI')
  await choose('CAP', 'CAP KITA')
  expect(select('AE').value).toBe('AE KITA')
  await end()
})
