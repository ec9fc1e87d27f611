import type { SyncMessage } from '@portal/contracts/attendance/messages'
import { type Answer, Client } from '../client.ts'
import { type Portal, until } from '../portal.ts'

/** The day `days` days ago, in UTC. */
export const dayBack = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Makes a token through the API, as a manager would. */
export async function makeToken(portal: Portal, name = 'SMS gateway'): Promise<string> {
  const admin = await portal.signedIn('sync.manage')
  return (await admin.post('/admin/sync/tokens', { name })).body.token
}

/** Returns a function that sends messages like a device or gateway, with a token only. */
export function machine(portal: Portal, token: string | null) {
  const client = new Client(portal.http, portal.settings.apiBase)
  client.headers = {
    'content-type': 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }
  return (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    client.post('/sync/messages', typeof body === 'string' ? body : JSON.stringify(body), headers)
}

let made = 0
/** A native message about a class of KIT-1, today. */
export const report = (data: object = {}, fields: Partial<SyncMessage> = {}) => ({
  // Of one length: the portal numbers the messages of a call in the order of their ids.
  id: `message-${String(++made).padStart(6, '0')}`,
  entity_type: 'attendance',
  action: 'create',
  created_at: minutesAgo(5),
  data: {
    school_admin_code: 'KIT-1',
    date: dayBack(0),
    class: '7A',
    learners: { enrolled: 50, present: 41 },
    ...data,
  },
  ...fields,
})

/** Waits until every message is processed or has failed. */
export const settled = (portal: Portal, ms = 20_000) =>
  until(async () => {
    const { rows } = await portal.owner.query(
      'select count(*)::int as waiting from synced_messages where processed_at is null and error is null',
    )
    return rows[0].waiting === 0
  }, ms)

/** The stored figures. */
export const figures = async ({ owner }: Portal) =>
  (
    await owner.query(`select s.admin_code as school, a.date, a.who, a.class, a.enrolled, a.present
      from attendance a join schools s on s.id = a.school_id where not a.withdrawn order by 1, 2, 3, 4`)
  ).rows
