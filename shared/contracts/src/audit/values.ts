import { auditEvents, auditTypes } from '../audit.ts'
import type { CaseStatus, Priority } from '../cases.ts'
import type { Country } from '../fields.ts'
import type { ImportKind, ImportState } from '../imports.ts'
import type { FlagAudience } from '../module-flags.ts'
import type { Runs } from '../modules.ts'
import { mailTimeWords, noticeField, noticeKinds } from '../notices.ts'
import { flags, titles } from '../registers/closed-lists.ts'
import type { Locale, Text } from '../text.ts'
import type { AccountingPart } from '../transfers/accounting.ts'
import type { Agency } from '../transfers/agencies.ts'
import type { ListedCohortStatus, ListStatus, PaymentStatus } from '../transfers/cohorts.ts'
import { failureReasons } from '../transfers/failure-reasons.ts'
import { heldRoundWords, holdReasonWords } from '../transfers/hold-words.ts'
import type { exceptionStates } from '../transfers/payment-exceptions.ts'
import type { SettlementOutcome } from '../transfers/payment-settlements.ts'
import type { ConfirmedPart } from '../transfers/reconciliations.ts'
import { findingCategoryWords, statementStateWords } from '../transfers/statement-words.ts'
import { arrearAgeWords, exceptionDecisionWords, exceptionKindWords } from '../transfers/transfer-words.ts'

type Switch = Agency['status']

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
const paymentStatuses: Record<PaymentStatus, Text> = {
  pending: { en: 'pending', fr: 'en attente' },
  sending: { en: 'being sent', fr: 'en cours d’envoi' },
  success: { en: 'paid', fr: 'payé' },
  failed: { en: 'failed', fr: 'échoué' },
  unknown: { en: 'unknown', fr: 'résultat inconnu' },
}
/** The statuses of a cohort, and those of the rows that the export of a list can be filtered by. */
const cohortStatuses: Record<ListedCohortStatus | ListStatus, Text> = {
  ...paymentStatuses,
  approved: { en: 'approved', fr: 'approuvée' },
  rejected: { en: 'rejected', fr: 'rejetée' },
  error: { en: 'payment error', fr: 'erreur de paiement' },
  withheld: { en: 'withheld', fr: 'retenu' },
  written_off: { en: 'written off', fr: 'passé en perte' },
  erased: { en: 'person erased', fr: 'personne effacée' },
  closed: { en: 'closed', fr: 'clôturée' },
}
const settlementOutcomes: Record<SettlementOutcome, Text> = {
  paid: { en: 'paid', fr: 'payé' },
  not_paid: { en: 'not paid', fr: 'non payé' },
}
const evidences: Record<'line' | 'document', Text> = {
  line: { en: 'line of a statement', fr: 'ligne d’un relevé' },
  document: { en: 'document', fr: 'document' },
}
const exceptionStateWords: Record<(typeof exceptionStates)[number], Text> = {
  open: { en: 'open', fr: 'ouverte' },
  closed: { en: 'closed', fr: 'close' },
}
const payeeHoldStates: Record<'open' | 'ended', Text> = {
  open: { en: 'on hold', fr: 'bloquées' },
  ended: { en: 'released', fr: 'débloquées' },
}
const chosen: Record<'yes', Text> = { yes: { en: 'yes', fr: 'oui' } }
const accountingParts: Record<AccountingPart, Text> = {
  journal: { en: 'journal', fr: 'journal' },
  balance: { en: 'trial balance', fr: 'balance' },
}
const confirmedParts: Record<ConfirmedPart, Text> = {
  full: { en: 'confirmed', fr: 'confirmées' },
  part: { en: 'partly confirmed', fr: 'confirmées en partie' },
  none: { en: 'not yet confirmed', fr: 'pas encore confirmées' },
}
const flagAudiences: Record<FlagAudience, Text> = {
  declared: { en: 'as its team declares', fr: 'comme l’équipe le déclare' },
  everybody: { en: 'everybody', fr: 'tout le monde' },
  nobody: { en: 'nobody', fr: 'personne' },
  some: { en: 'some people', fr: 'certaines personnes' },
}
const runsWords: Record<Runs, Text> = {
  product: { en: 'as part of the portal', fr: 'comme partie du portail' },
  trusted: { en: 'trusted', fr: 'reconnu fiable' },
  isolated: { en: 'isolated', fr: 'isolé' },
}
/** The process died before its entry was kept, and a worker wrote it. */
const recordedWords: Record<'afterwards', Text> = { afterwards: { en: 'afterwards', fr: 'après coup' } }
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
  'module-records': { en: 'records of a module', fr: 'fiches d’un module' },
}
const agencyStatuses: Record<Switch, Text> = {
  active: { en: 'active', fr: 'activée' },
  inactive: { en: 'inactive', fr: 'désactivée' },
}
const parameterStatuses: Record<Switch, Text> = {
  active: { en: 'active', fr: 'activé' },
  inactive: { en: 'inactive', fr: 'désactivé' },
}
const agencyTypes: Record<Agency['type'], Text> = {
  mobile_money: { en: 'mobile money', fr: 'mobile money' },
  bank: { en: 'bank', fr: 'banque' },
}
const countries: Record<Country, Text> = {
  ml: { en: 'Mali', fr: 'Mali' },
  sn: { en: 'Senegal', fr: 'Sénégal' },
}
const locales: Record<Locale, Text> = {
  en: { en: 'English', fr: 'anglais' },
  fr: { en: 'French', fr: 'français' },
}
const imports = { state: importStates, kind: importKinds, review: flags }

/** Closed lists of what has no record of fields, by audited type and field. */
export const auditedLists: Record<string, Record<string, Record<string, Text>>> = {
  audit: { event: auditEvents, auditable_type: auditTypes },
  accounting: { part: accountingParts },
  agency: { status: agencyStatuses, type: agencyTypes, country: countries },
  arrears: { age: arrearAgeWords },
  case: { status: caseStatuses, priority: priorities, salutation: titles },
  cohort: { status: cohortStatuses, kind: importKinds },
  exceptions: { state: exceptionStateWords, kind: exceptionKindWords },
  import: imports,
  module: { who: flagAudiences, runs: runsWords, recorded: recordedWords },
  parameter: { status: parameterStatuses },
  'payee holds': { state: payeeHoldStates },
  payment: {
    status: paymentStatuses,
    outcome: settlementOutcomes,
    evidence: evidences,
    decision: exceptionDecisionWords,
    failure_reason: failureReasons,
  },
  reconciliation: { status: cohortStatuses, confirmed: confirmedParts },
  referral: { salutation: titles, status: caseStatuses },
  round: { status: cohortStatuses },
  'sending hold': { reasons: holdReasonWords, failure: heldRoundWords },
  statement: { category: findingCategoryWords, resolved: flags },
  statements: { state: statementStateWords },
  'target selection': { country: countries, type: agencyTypes, guardian: chosen, not_held: chosen },
  user: {
    locale: locales,
    ...Object.fromEntries(noticeKinds.map((kind) => [noticeField('mail', kind), mailTimeWords])),
  },
}
