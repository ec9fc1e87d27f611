import { expect, test } from 'vitest'
import { allCalls } from './test-calls.ts'

/** The calls that must ask for a sign-in of the last five minutes (Access 2.4), by what it is about. */
const fresh: Record<string, string[]> = {
  'one-time codes': ['totp.start', 'totp.confirm', 'totp.renew', 'totp.remove', 'users.removeTotp'],
  passwords: ['password.change'],
  sessions: ['session.end', 'users.endSessions'],
  'roles and permissions': [
    'permissions.assign',
    'roles.change',
    'roles.create',
    'roles.remove',
    'roles.update',
  ],
  'limits of approvers': ['approvalLimits.set'],
  'builds of partners': ['modules.admit', 'modules.trust'],
  'the data of one person': [
    'personData.askErasure',
    'personData.decideErasure',
    'personData.export',
    'personData.withdrawErasure',
  ],
  'tokens of modules': ['moduleTokens.create', 'moduleTokens.revoke'],
  'tokens of devices': ['messages.createToken', 'messages.revokeToken'],
  'where money goes': ['transfers.decideAgencyChange', 'transfers.updateAgency'],
  'the sign-off of a statement': ['statements.sign'],
  'the release of a hold': ['payeeHolds.release', 'sendingHold.confirmRound', 'sendingHold.release'],
  'the end of a cohort': ['cohortClosing.close'],
  'a move to another agency': ['cohortMoves.decide'],
  'payments in doubt': ['paymentExceptions.close', 'paymentSettlements.decide'],
}

/** Calls about one of these that ask otherwise. Those of an account ask in their handler, by field (`api/test/access/fresh.test.ts`). */
const otherwise: Record<string, string> = {
  'session.signIn': 'is the sign-in',
  'password.forgot': 'is for people who cannot sign in',
  'password.reset': 'has the link of a letter instead',
}

test('a person confirms who she is before each of these acts, and before no other one', () => {
  const asked = allCalls.filter(({ call }) => call.fresh).map(({ name }) => name)
  expect(asked.toSorted()).toEqual(Object.values(fresh).flat().toSorted())
})

test('a new call about one of these is either confirmed or has a reason', () => {
  const about = /totp|password|session|role|permission|admission|key|secret|sending-hold|release/
  const forgotten = allCalls.filter(
    ({ name, call }) => call.method !== 'GET' && about.test(call.path) && !call.fresh && !(name in otherwise),
  )
  expect(forgotten.map(({ name, call }) => `${name}: ${call.method} ${call.path}`)).toEqual([])
})
