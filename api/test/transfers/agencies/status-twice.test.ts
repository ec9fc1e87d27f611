import { expect, test } from 'vitest'
import { addPeople } from '../../people.ts'
import { startPortal } from '../../portal.ts'

const portal = await startPortal({ agencyHosts: ['127.0.0.1:9'] })
await addPeople(portal.db, 1, 'http://127.0.0.1:9')

test.each(['agency', 'parameter'])(
  'an administrator who presses Deactivate twice changes the status of %s once, and the log says so once',
  async (noun) => {
    const admin = await portal.signedInAs('Administrator')
    const put = (status: string) => admin.put(`/admin/transfers/${noun}/1`, { status })
    const logged = async () =>
      (
        await portal.owner.query(
          "select new_values ->> 'status' as status from audits a join audit_values v on v.audit_id = a.id where auditable_type = $1 order by a.id",
          [noun],
        )
      ).rows.map(({ status }) => status)
    const both = await Promise.all([put('inactive'), put('inactive')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await put('inactive')).status).toBe(200)
    expect(await logged()).toEqual(['inactive'])
    expect((await put('active')).status).toBe(200)
    expect(await logged()).toEqual(['inactive', 'active'])
  },
)
