import { t } from '@lingui/core/macro'
import { type AuditLog, auditEvents, auditTypes } from '@portal/contracts/audit'
import { currentLocale } from '@portal/i18n/locale'
import { fullName } from '../words.ts'

/** What happened, in words. */
export const eventName = (event: string) => auditEvents[event]?.[currentLocale()] ?? event

/** What it happened to, in words. */
export const typeName = (type: string) => auditTypes[type]?.[currentLocale()] ?? type

/** The name of whoever acted. If nobody was signed in, it was the portal itself or a visitor. */
export const whoActed = (log: AuditLog) => {
  if (log.user) return fullName(log.user)
  return log.ip_address ? t`Not signed in` : t`The portal`
}

/** The present name of the subject. If the subject was deleted, it is the name in the entry. */
export function subjectOf({ auditable_name, old_values, new_values }: AuditLog): string | undefined {
  const name = auditable_name ?? new_values?.name ?? old_values?.name
  return typeof name === 'string' ? name : undefined
}

/** `module/collection` of an entry about a record that the portal keeps for a module. */
export function collectionOf({ auditable_type, old_values, new_values }: AuditLog): string | undefined {
  if (auditable_type !== 'module record') return undefined
  const { module, collection } = { ...old_values, ...new_values }
  return `${module}/${collection}`
}
