import { auditEvents, auditTypes } from './audit.ts'
import type { CaseStatus, Priority } from './cases.ts'
import { flags, titles } from './closed-lists.ts'
import type { CohortStatus, PaymentStatus } from './cohorts.ts'
import type { ImportKind, ImportState } from './imports.ts'
import { mailTimeWords, noticeField, noticeKinds } from './notices.ts'
import type { Text } from './text.ts'

type Switch = 'active' | 'inactive'

const caseStatuses: Record<CaseStatus, Text> = {
  new: { en: 'new', fr: 'nouveau' },
  open: { en: 'open', fr: 'ouvert' },
  in_progress: { en: 'awaiting external input', fr: 'en attente d’un avis externe' },
  resolved: { en: 'resolved', fr: 'résolu' },
  rejected: { en: 'rejected', fr: 'rejeté' },
}
const priorities: Record<Priority, Text> = {
  low_1_month: { en: 'low - 1 month', fr: 'faible - 1 mois' },
  medium_1_week: { en: 'medium - 1 week', fr: 'moyenne - 1 semaine' },
  high_1_day: { en: 'high - 1 day', fr: 'élevée - 1 jour' },
}
const cohortStatuses: Record<CohortStatus, Text> = {
  pending: { en: 'to approve', fr: 'à approuver' },
  approved: { en: 'approved', fr: 'approuvée' },
  rejected: { en: 'rejected', fr: 'rejetée' },
  error: { en: 'payment error', fr: 'erreur de paiement' },
}
const paymentStatuses: Record<PaymentStatus, Text> = {
  pending: { en: 'pending', fr: 'en attente' },
  sending: { en: 'being sent', fr: 'en cours d’envoi' },
  success: { en: 'paid', fr: 'payé' },
  failed: { en: 'failed', fr: 'échoué' },
  unknown: { en: 'unknown', fr: 'résultat inconnu' },
}
const importStates: Record<ImportState, Text> = {
  queued: { en: 'queued', fr: 'en file d’attente' },
  reading: { en: 'being read', fr: 'en cours de lecture' },
  review: { en: 'to review', fr: 'à vérifier' },
  importing: { en: 'being imported', fr: 'en cours d’import' },
  imported: { en: 'imported', fr: 'importé' },
  failed: { en: 'failed', fr: 'échoué' },
  cancelled: { en: 'cancelled', fr: 'annulé' },
}
const importKinds: Record<ImportKind, Text> = {
  locations: { en: 'locations', fr: 'localités' },
  schools: { en: 'schools', fr: 'établissements' },
  partners: { en: 'partners', fr: 'partenaires' },
  teachers: { en: 'teachers', fr: 'enseignants' },
  students: { en: 'students', fr: 'élèves' },
  parents: { en: 'guardians', fr: 'tuteurs et tutrices' },
  'target-list': { en: 'target list', fr: 'liste cible' },
  attendance: { en: 'attendance', fr: 'présence' },
}
const agencyStatuses: Record<Switch, Text> = {
  active: { en: 'active', fr: 'activée' },
  inactive: { en: 'inactive', fr: 'désactivée' },
}
const parameterStatuses: Record<Switch, Text> = {
  active: { en: 'active', fr: 'activé' },
  inactive: { en: 'inactive', fr: 'désactivé' },
}
const agencyTypes: Record<'mobile_money' | 'bank', Text> = {
  mobile_money: { en: 'mobile money', fr: 'mobile money' },
  bank: { en: 'bank', fr: 'banque' },
}
const countries: Record<'ml' | 'sn', Text> = {
  ml: { en: 'Mali', fr: 'Mali' },
  sn: { en: 'Senegal', fr: 'Sénégal' },
}
const locales: Record<'en' | 'fr', Text> = {
  en: { en: 'English', fr: 'anglais' },
  fr: { en: 'French', fr: 'français' },
}
const imports = { state: importStates, kind: importKinds, review: flags }

/** Closed lists of what has no record of fields, by audited type and field. */
export const auditedLists: Record<string, Record<string, Record<string, Text>>> = {
  audit: { event: auditEvents, auditable_type: auditTypes },
  agency: { status: agencyStatuses, type: agencyTypes, country: countries },
  case: { status: caseStatuses, priority: priorities, salutation: titles },
  cohort: { status: cohortStatuses, kind: importKinds },
  import: imports,
  parameter: { status: parameterStatuses },
  payment: { status: paymentStatuses },
  user: {
    locale: locales,
    ...Object.fromEntries(noticeKinds.map((kind) => [noticeField('mail', kind), mailTimeWords])),
  },
}
