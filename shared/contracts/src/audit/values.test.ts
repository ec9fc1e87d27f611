import { expect, test } from 'vitest'
import { allCalls } from '../test-calls.ts'
import { auditWords } from './fields.ts'

/** What a call with a closed list in its body is audited as. */
const types: Record<string, string> = {
  'accounting.export': 'accounting',
  'arrears.export': 'arrears',
  'cases.create': 'case',
  'cases.refer': 'referral',
  'moduleFlags.decide': 'module',
  'parents.update': 'parent',
  'paymentExceptions.close': 'payment',
  'paymentSettlements.propose': 'payment',
  'profile.prefer': 'user',
  'profile.update': 'user',
  'reconciliations.export': 'reconciliation',
  'statements.export': 'statement',
  'statements.resolve': 'statement',
  'students.update': 'student',
  'targetSelection.export': 'target selection',
  'targetSelection.makeCohort': 'target selection',
  'transferLists.exceptions': 'exceptions',
  'transferLists.holds': 'payee holds',
  'transferLists.statements': 'statements',
  'transfers.createAgency': 'agency',
  'transfers.exportCohort': 'cohort',
  'payrolls.export': 'round',
  'transfers.updateAgency': 'agency',
  'transfers.updateParameter': 'parameter',
  'users.create': 'user',
  'users.update': 'user',
}

/** Fields of which nothing is written as it was sent, each with its reason. */
const unwritten: Record<string, string> = {
  action: 'becomes the event of the entry',
  confirm_all: 'becomes a change of each row',
  reject: 'becomes the event of the entry',
}

/** Calls whose bodies the log does not keep. */
const unaudited: Record<string, string> = {
  'moduleSandboxes.open': 'has the schema of a module that is not published',
  'modules.report': 'is counted as a failure of a module',
  'notifications.prefer': 'is audited as one field for each choice, by noticeField',
}

test('every value of a closed list that a call may write has words in the audit log, in both languages', () => {
  const silent = allCalls.flatMap(({ name, call }) => {
    if (call.method === 'GET' || name in unaudited) return []
    return closedLists(call.body).flatMap(({ field, values }) => {
      if (field in unwritten) return []
      const words = auditWords[types[name] ?? '']?.[field]?.values ?? {}
      return values
        .filter((value) => !said.has(value) && !words[value]?.fr)
        .map((value) => `${name} ${field}: ${value}`)
    })
  })
  expect(silent).toEqual([])
})

/** No value, and what is stored as a boolean: `auditValueText` says them by themselves. */
const said = new Set(['', 'true', 'false'])

type Schema = {
  type?: string
  options?: readonly unknown[]
  pipe?: Schema[]
  entries?: Record<string, Schema>
  wrapped?: Schema
  item?: Schema
}
type Closed = { field: string; values: string[] }

/** The closed lists in a schema, by the field in which each stands. */
function closedLists(schema: unknown, field = ''): Closed[] {
  const { type, options = [], pipe = [], entries = {}, wrapped, item } = (schema ?? {}) as Schema
  if (type === 'picklist') return [{ field, values: options as string[] }]
  return [
    ...pipe
      .filter((each) => each !== schema && each.type !== type)
      .flatMap((each) => closedLists(each, field)),
    ...Object.entries(entries).flatMap(([name, each]) => closedLists(each, name)),
    ...[wrapped, item, ...(options as Schema[])].flatMap((each) => (each ? closedLists(each, field) : [])),
  ]
}
