import type { QueryOf } from '@portal/contracts/endpoint'
import type { PersonName } from '@portal/contracts/fields'
import { fill, type Text } from '@portal/contracts/sentences'
import type { PayeeHold, payeeHolds } from '@portal/contracts/transfers/payee-holds'
import type { ListedException, paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { statementStateWords } from '@portal/contracts/transfers/statement-words'
import type {
  Statement as ListedStatement,
  StatementTotal,
  statements,
} from '@portal/contracts/transfers/statements'
import {
  exceptionDecisionWords,
  exceptionKindWords,
  statedPlace,
} from '@portal/contracts/transfers/transfer-words'
import { type ListColumn, registerListExport } from './list-export.ts'
import { payeeHoldsOf } from './payee-holds/payee-holds.service.ts'
import { exceptionsOf } from './payments/exceptions.service.ts'
import { statusWords } from './payments/shown-status.ts'
import { statementsOf } from './statements/statements.service.ts'

export const exceptionsExport = 'exceptions'
export const holdsExport = 'payee holds'
export const statementsExport = 'statements'

const nameOf = (person: PersonName | null) => person && `${person.first_name} ${person.last_name}`

const statedAt: Text = { en: 'Statement {0}, row {1}', fr: 'Relevé {0}, ligne {1}' }

type Exception = Omit<ListedException, 'barred'>
const exceptionColumns: ListColumn<Exception>[] = [
  {
    key: 'receiver',
    kind: 'text',
    label: { en: 'Parent name', fr: 'Nom du parent' },
    value: (row) => `${row.receiver_first_name} ${row.receiver_last_name}`,
  },
  { key: 'cohort', kind: 'text', label: { en: 'Cohort', fr: 'Cohorte' }, value: (row) => row.cohort_name },
  {
    key: 'reference',
    kind: 'text',
    label: { en: 'Reference id', fr: 'Référence' },
    value: (row) => row.reference,
  },
  {
    key: 'amount',
    kind: 'money',
    label: { en: 'Amount (XOF)', fr: 'Montant (F CFA)' },
    value: (row) => row.amount,
  },
  {
    key: 'kind',
    kind: 'text',
    label: { en: 'What does not agree', fr: 'Ce qui ne concorde pas' },
    value: (row, locale) => exceptionKindWords[row.kind][locale],
  },
  { key: 'expected', kind: 'text', label: { en: 'Expected', fr: 'Attendu' }, value: (row) => row.expected },
  {
    key: 'answered',
    kind: 'text',
    label: { en: 'Agency’s answer', fr: 'Réponse de l’agence' },
    value: ({ kind, answered }, locale) => {
      const place = statedPlace(kind, answered)
      return place ? fill(statedAt, locale, place.statement, place.row) : answered
    },
  },
  {
    key: 'status',
    kind: 'text',
    label: { en: 'Payment', fr: 'Paiement' },
    value: (row, locale) => statusWords[row.status][locale],
  },
  {
    key: 'created_at',
    kind: 'datetime',
    label: { en: 'Timestamp', fr: 'Horodatage' },
    value: (row) => row.created_at,
  },
  {
    key: 'decision',
    kind: 'text',
    label: { en: 'Decision', fr: 'Décision' },
    value: (row, locale) => row.decision && exceptionDecisionWords[row.decision][locale],
  },
  {
    key: 'reason',
    kind: 'text',
    label: { en: 'Reason of the decision', fr: 'Motif de la décision' },
    value: (row) => row.decision_reason,
  },
  {
    key: 'decided_by',
    kind: 'text',
    label: { en: 'Decided by', fr: 'Décidé par' },
    value: (row) => nameOf(row.decided_by),
  },
  {
    key: 'decided_at',
    kind: 'datetime',
    label: { en: 'Decided on', fr: 'Décidé le' },
    value: (row) => row.decided_at,
  },
]

const holdColumns: ListColumn<PayeeHold>[] = [
  { key: 'last_name', kind: 'text', label: { en: 'Last name', fr: 'Nom' }, value: (row) => row.last_name },
  {
    key: 'first_name',
    kind: 'text',
    label: { en: 'First name', fr: 'Prénom' },
    value: (row) => row.first_name,
  },
  {
    key: 'student_code',
    kind: 'text',
    label: { en: 'Student code', fr: 'Code élève' },
    value: (row) => row.student_code,
  },
  {
    key: 'school',
    kind: 'text',
    label: { en: 'School', fr: 'Établissement' },
    value: (row) => row.school_name,
  },
  {
    key: 'reason',
    kind: 'text',
    width: 40,
    label: { en: 'Reason', fr: 'Motif' },
    value: (row) => row.reason,
  },
  { key: 'case', kind: 'text', label: { en: 'Case', fr: 'Dossier' }, value: (row) => row.case_number },
  {
    key: 'created_at',
    kind: 'datetime',
    label: { en: 'On hold since', fr: 'Bloquée depuis' },
    value: (row) => row.created_at,
  },
  {
    key: 'user',
    kind: 'text',
    label: { en: 'Put on hold by', fr: 'Bloquée par' },
    value: (row) => nameOf(row.user),
  },
  {
    key: 'ends_on',
    kind: 'date',
    label: { en: 'Last day', fr: 'Dernier jour' },
    value: (row) => row.ends_on,
  },
  {
    key: 'released_at',
    kind: 'datetime',
    label: { en: 'Released on', fr: 'Débloquée le' },
    value: (row) => row.released_at,
  },
  {
    key: 'released_by',
    kind: 'text',
    label: { en: 'Released by', fr: 'Débloquée par' },
    value: (row) => nameOf(row.released_by),
  },
  {
    key: 'withheld',
    kind: 'whole',
    label: { en: 'Payments withheld', fr: 'Paiements retenus' },
    value: (row) => row.withheld,
  },
  {
    key: 'withheld_amount',
    kind: 'money',
    label: { en: 'Withheld (XOF)', fr: 'Retenu (F CFA)' },
    value: (row) => row.withheld_amount,
  },
]

type Statement = Omit<ListedStatement, 'problem'>
const sum = (row: Statement, of: (total: StatementTotal) => number) =>
  row.totals.reduce((so, total) => so + of(total), 0)
const money = (
  key: 'their_amount' | 'our_amount' | 'their_fees' | 'expected_fees',
  label: Text,
): ListColumn<Statement> => ({ key, kind: 'money', label, value: (row) => sum(row, (total) => total[key]) })

const statementColumns: ListColumn<Statement>[] = [
  {
    key: 'agency',
    kind: 'text',
    label: { en: 'Transfer agency', fr: 'Agence de transfert' },
    value: (row) => row.transfer_agency.name,
  },
  { key: 'file', kind: 'text', label: { en: 'File', fr: 'Fichier' }, value: (row) => row.file_name },
  { key: 'from', kind: 'date', label: { en: 'Start date', fr: 'Date de début' }, value: (row) => row.from },
  { key: 'to', kind: 'date', label: { en: 'End date', fr: 'Date de fin' }, value: (row) => row.to },
  {
    key: 'state',
    kind: 'text',
    label: { en: 'Status', fr: 'Statut' },
    value: (row, locale) => statementStateWords[row.state][locale],
  },
  { key: 'lines', kind: 'whole', label: { en: 'Lines', fr: 'Lignes' }, value: (row) => row.lines_read },
  money('their_amount', { en: 'Paid by the statement (XOF)', fr: 'Payé d’après le relevé (F CFA)' }),
  money('our_amount', { en: 'Paid by the portal (XOF)', fr: 'Payé d’après le portail (F CFA)' }),
  money('their_fees', { en: 'Fee charged (XOF)', fr: 'Frais facturés (F CFA)' }),
  money('expected_fees', { en: 'Fee of the tariff (XOF)', fr: 'Frais du tarif (F CFA)' }),
  {
    key: 'open',
    kind: 'whole',
    label: { en: 'Open differences', fr: 'Écarts ouverts' },
    value: (row) =>
      sum(row, ({ category, count, resolved }) => (category === 'matched' ? 0 : count - resolved)),
  },
  {
    key: 'uploaded_by',
    kind: 'text',
    label: { en: 'Uploaded by', fr: 'Envoyé par' },
    value: (row) => nameOf(row.user),
  },
  {
    key: 'created_at',
    kind: 'datetime',
    label: { en: 'Uploaded on', fr: 'Envoyé le' },
    value: (row) => row.created_at,
  },
  {
    key: 'ended_by',
    kind: 'text',
    label: { en: 'Signed or withdrawn by', fr: 'Signé ou retiré par' },
    value: (row) => nameOf(row.ended_by),
  },
  {
    key: 'ended_at',
    kind: 'datetime',
    label: { en: 'Signed or withdrawn on', fr: 'Signé ou retiré le' },
    value: (row) => row.ended_at,
  },
]

/** Registers the exports of the lists of answers to look at, girls on hold and statements. */
export function registerTransferListExports() {
  registerListExport<Exception, QueryOf<typeof paymentExceptions.list>>({
    kind: exceptionsExport,
    name: { en: 'Answers to look at', fr: 'Réponses à examiner' },
    columns: exceptionColumns,
    list: exceptionsOf,
  })
  registerListExport<PayeeHold, QueryOf<typeof payeeHolds.list>>({
    kind: holdsExport,
    name: { en: 'Girls on hold', fr: 'Élèves bloquées' },
    columns: holdColumns,
    list: payeeHoldsOf,
  })
  registerListExport<Statement, QueryOf<typeof statements.list>>({
    kind: statementsExport,
    name: { en: 'Statements', fr: 'Relevés' },
    columns: statementColumns,
    list: statementsOf,
  })
}
