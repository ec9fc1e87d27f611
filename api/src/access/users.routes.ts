import { permissions, roles, users } from '@portal/contracts/access'
import { approvalLimits } from '@portal/contracts/access/approval-limits'
import { profile } from '@portal/contracts/access/profile'
import { type App, serve } from '../kit/http/serve.ts'
import { resourcesInWords } from '../modules/module-words.service.ts'
import { setApprovalLimit } from './approval-limits.service.ts'
import { say } from './messages.ts'
import { readProfile } from './profile.service.ts'
import {
  assignPermissions,
  createRole,
  listPermissions,
  listRoles,
  readRole,
  removeRole,
  updateRole,
} from './roles.service.ts'
import { changeUser, deactivateUsers, endSessionsOf, removeTotpOf } from './user-changes.service.ts'
import { createUser, inviteAgain, listUsers, readUser } from './users.service.ts'

/** The calls on users, roles and one's own profile. */
export function userRoutes(app: App) {
  serve(app, profile.read, async ({ db, actor }) => ({ user: await readProfile(db, actor) }))
  serve(app, profile.change, (call) => changeUser(call, call.actor, call.params.id, call.body))
  serve(app, users.list, ({ db, query }) => listUsers(db, query))
  serve(app, users.read, async ({ db, params }) => ({ user: await readUser(db, params.id) }))
  serve(app, users.create, (call) => createUser(call, call.actor, call.body))
  serve(app, users.invite, async (call) => {
    await inviteAgain(call, call.actor, call.params.id)
    return { message: say.invitedAgain }
  })
  serve(app, users.deactivateMany, (call) => deactivateUsers(call, call.actor, call.body.user_ids))
  serve(app, users.endSessions, (call) => endSessionsOf(call, call.actor, call.params.id))
  serve(app, users.removeTotp, async (call) => {
    await removeTotpOf(call, call.actor, call.params.id)
    return { message: say.totpOff }
  })
  serve(app, approvalLimits.set, async ({ db, actor, params, body }) => {
    await setApprovalLimit(db, actor, params.id, body.amount)
    return { message: say.limitSet }
  })
  serve(app, roles.list, ({ db, locale, query }) => listRoles(db, locale, query))
  serve(app, roles.read, async ({ db, params }) => ({ role: await readRole(db, params.id) }))
  serve(app, roles.create, async ({ db, actor, body }) => ({
    message: say.roleCreated,
    role: await createRole(db, actor, body),
  }))
  serve(app, roles.change, async ({ db, actor, locale, params, body }) => {
    if (!('delete' in body))
      return { message: say.roleUpdated, role: await updateRole(db, actor, params.id, body, locale) }
    await removeRole(db, actor, params.id, body.version)
    return { message: say.roleDeleted }
  })
  serve(app, permissions.list, async ({ db, registry }) => ({
    permissions: await listPermissions(db),
    resources: await resourcesInWords(registry),
  }))
  serve(app, permissions.assign, async ({ db, actor, body }) => ({
    message: say.permissionsAssigned,
    role: await assignPermissions(db, actor, body),
  }))
}
