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
