import { roles, users } from '@portal/contracts/access'
import { profile } from '@portal/contracts/profile'
import { type App, serve } from '../kit/serve.ts'
import { msg } from '../messages.ts'
import { readProfile, updateProfile } from './profile.service.ts'
import { listRoles, listUsers } from './users.service.ts'

/** The calls of section 7 on users, roles and one's own profile. */
export function userRoutes(app: App) {
  serve(app, profile.read, async ({ db, actor }) => ({ user: await readProfile(db, actor.id) }))
  serve(app, profile.update, async ({ db, actor, params, body }) => ({
    message: msg.profileUpdated,
    user: await updateProfile(db, actor, params.id, body),
  }))
  serve(app, users.list, ({ db, query }) => listUsers(db, query))
  serve(app, roles.list, ({ db, query }) => listRoles(db, query))
}
