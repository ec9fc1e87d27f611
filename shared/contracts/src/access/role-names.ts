import type { Locale } from '../text.ts'

/** The shipped roles in French. They are data under their English names; one that was renamed is shown as it was written. */
export const frenchRoles: Readonly<Record<string, string>> = {
  Administrator: 'Administrateur',
  'Transfer Officer': 'Chargé des transferts',
  'Transfer Approver': 'Approbateur des transferts',
  'School Officer': 'Chargé des établissements',
  'Case Reviewer': 'Responsable de dossiers',
  Auditor: 'Auditeur',
}

/** A role's name as it is shown in a language. */
export const roleName = (name: string, locale: Locale): string =>
  locale === 'fr' && Object.hasOwn(frenchRoles, name) ? (frenchRoles[name] ?? name) : name
