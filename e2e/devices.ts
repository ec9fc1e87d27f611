import { expect, type Page } from '@playwright/test'
import { row, rows } from './database.ts'
import { place } from './stage/place.ts'

/** What a device sends of a class, or of a school's teachers. */
export type Message = {
  id: string
  entity_type: 'attendance' | 'teacher_attendance'
  action: 'create' | 'update' | 'delete'
  created_at: string
  data: Record<string, unknown>
}

/** The day that the portal calls today. */
export const today = () => new Date().toISOString().slice(0, 10)

/** A report of one class of a school, for today. */
export const report = (id: string, school: string, present: number): Message => ({
  id,
  entity_type: 'attendance',
  action: 'create',
  created_at: new Date().toISOString(),
  data: {
    school_admin_code: school,
    date: today(),
    class: '7',
    learners: { enrolled: 50, present },
    reported_by: '+22376123456',
    channel: 'sms',
  },
})

/** Sends messages as a device does: with its token, and nothing of a browser. */
export async function send(token: string, messages: readonly Message[]) {
  const answer = await fetch(`${place.url}/api/sync/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** A token made by whoever is signed in on this page, without the dialog. */
export async function tokenOf(admin: Page, name: string): Promise<string> {
  await admin.request.get(`${place.url}/api/session`)
  const cookies = await admin.context().cookies()
  const csrf = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await admin.request.post(`${place.url}/api/admin/sync/tokens`, {
    headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': decodeURIComponent(csrf) },
    data: { name },
  })
  expect(answer.ok(), `a token for ${name}`).toBe(true)
  return (await answer.json()).token
}

/** Waits until the worker has looked at all that was sent: it is processed, or it has failed. */
export const looked = (...ids: string[]) =>
  expect
    .poll(
      async () =>
        (
          await rows(
            'select 1 from synced_messages where message_id = any($1) and (processed_at is not null or error is not null)',
            ids,
          )
        ).length,
      { timeout: 60_000 },
    )
    .toBe(ids.length)

/** A school of the register that has not reported for today. */
export const someSchool = (offset = 0) =>
  row<{ id: number; admin_code: string; name: string }>(
    'select id, admin_code, name from schools order by id desc offset $1 limit 1',
    offset,
  )
