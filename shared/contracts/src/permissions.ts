/** Every permission there is (Access 3.1), grouped by resource in this order. */
export const permissions = [
  'users.view',
  'users.create',
  'users.update',
  'users.deactivate',
  'users.assign-roles',
  'roles.view',
  'roles.manage',
  'permissions.assign',
  'audit-logs.view',
  'people.export',
  'people.erase',
  'locations.view',
  'locations.update',
  'locations.import',
  'schools.view',
  'schools.update',
  'schools.import',
  'schools.export',
  'teachers.view',
  'teachers.import',
  'students.view',
  'students.update',
  'students.import',
  'students.export',
  'students.sensitive',
  'parents.view',
  'parents.update',
  'parents.import',
  'partners.view',
  'partners.update',
  'partners.import',
  'transfers.view',
  'agencies.create',
  'agencies.update',
  'parameters.create',
  'cohorts.create',
  'cohorts.approve',
  'cohorts.export',
  'recipients.correct',
  'payrolls.export',
  'arrears.write-off',
  'holds.manage',
  'statements.import',
  'statements.sign',
  'cases.view',
  'cases.create',
  'cases.manage',
  'survey.view',
  'sync.manage',
  'modules.manage',
  'modules.admit',
  'system.view',
] as const

/**
 * Permissions that a partner's module declares in its manifest; it adds them here, for its own compiler:
 * `declare module '@portal/contracts/permissions' { interface ModulePermissions { 'health.view': true } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface is what others can add to.
export interface ModulePermissions {}

/** `resource.action`. */
export type Permission = (typeof permissions)[number] | keyof ModulePermissions

const startingWith = (...resources: string[]) =>
  permissions.filter((permission) => resources.includes(permission.split('.')[0] ?? ''))

type OfMoney = Extract<
  (typeof permissions)[number],
  `${'transfers' | 'agencies' | 'parameters' | 'cohorts' | 'recipients' | 'payrolls' | 'arrears' | 'holds' | 'statements'}.${string}`
>

/**
 * Whether money may be approved with it: a list, a correction, a write-off, a payment made again, the release of a hold, a
 * statement, or the address of an agency. Whoever holds such a permission needs one-time codes (Access 1.5).
 */
export const approvesMoney: Record<OfMoney, boolean> = {
  'transfers.view': false,
  'agencies.create': false,
  'agencies.update': true,
  'parameters.create': false,
  'cohorts.create': false,
  'cohorts.approve': true,
  'cohorts.export': false,
  'recipients.correct': false,
  'payrolls.export': false,
  'arrears.write-off': true,
  'holds.manage': false,
  'statements.import': false,
  'statements.sign': true,
}

/**
 * Permissions for acts that others allowed before. Where one is new, every role that has one of those gets it, so that nobody loses an
 * act by an upgrade (decision 205).
 */
export const splitFrom: Partial<Record<Permission, readonly Permission[]>> = {
  'recipients.correct': ['cohorts.create'],
  'arrears.write-off': ['cohorts.approve'],
  'holds.manage': ['cohorts.create', 'cohorts.approve'],
  'modules.admit': ['modules.manage'],
}

/** The roles the product ships (Access 3.2); roles are data, an administrator makes others. */
export const shippedRoles: Record<string, readonly Permission[]> = {
  Administrator: permissions,
  'Transfer Officer': [
    'transfers.view',
    'cohorts.create',
    'cohorts.export',
    'recipients.correct',
    'payrolls.export',
    'holds.manage',
    'statements.import',
  ],
  'Transfer Approver': [
    'transfers.view',
    'cohorts.approve',
    'cohorts.export',
    'payrolls.export',
    'arrears.write-off',
    'holds.manage',
    'statements.sign',
  ],
  'School Officer': startingWith('locations', 'schools', 'teachers', 'students', 'parents', 'partners'),
  'Case Reviewer': startingWith('cases'),
  Auditor: permissions.filter((permission) => permission.endsWith('.view')),
}
