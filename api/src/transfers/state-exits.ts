import { imports } from '@portal/contracts/imports'
import { transfers } from '@portal/contracts/transfers'
import { bankFiles } from '@portal/contracts/transfers/bank-files'
import { cohortClosing } from '@portal/contracts/transfers/cohort-closing'
import { cohortMoves } from '@portal/contracts/transfers/cohort-moves'
import { nameChecks } from '@portal/contracts/transfers/name-checks'
import { parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { type exceptionStates, paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { paymentSettlements } from '@portal/contracts/transfers/payment-settlements'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { sendingHold } from '@portal/contracts/transfers/sending-hold'
import { statements } from '@portal/contracts/transfers/statements'
import type { Selectable } from 'kysely'
import type { DB } from '../kit/database/database.types.ts'
import { paymentExits } from './payments/payment-exits.ts'
import type { StateOf, Table } from './state-exit.ts'

type CohortState = Selectable<DB['transfer_cohorts']>['status'] | 'stopped' | 'not_progressing' | 'closed'
type RoundState = StateOf<'transfer_rounds'> | 'held' | 'perhaps_paid' | 'not_made'

const cohort: Table<CohortState> = {
  pending: {
    exits: [
      { to: 'approved', call: transfers.decide, by: 'cohorts.approve' },
      { to: 'rejected', call: transfers.decide, by: 'cohorts.approve' },
    ],
  },
  approved: {
    exits: [
      { to: 'closed', call: cohortClosing.close, by: 'cohorts.approve' },
      { to: 'stopped', call: transfers.stop, by: 'cohorts.approve' },
      { to: 'error', itself: 'Its agency cannot be used at all, or its list is not the approved one.' },
      { to: 'not_progressing', itself: 'Its agency settles nothing within its limit.' },
    ],
  },
  error: { exits: [{ to: 'approved', call: transfers.decide, by: 'cohorts.approve' }] },
  stopped: { exits: [{ to: 'approved', call: transfers.resume, by: 'cohorts.approve' }] },
  not_progressing: {
    exits: [
      { to: 'approved', itself: 'Its agency settles a payment again.' },
      { to: 'stopped', call: transfers.stop, by: 'cohorts.approve' },
      { to: 'approved', call: cohortMoves.decide, by: 'cohorts.approve' },
    ],
  },
  rejected: { final: 'Nothing of it can be paid. A better list is uploaded as a new cohort.' },
  closed: { final: 'Nothing of it can be paid or changed any more.' },
}

const round: Table<RoundState> = {
  scheduled: {
    exits: [
      { to: 'made', itself: 'Its day comes, while the cohort is running.' },
      { to: 'missed', itself: 'Its day passes and nothing could be sent.' },
      { to: 'not_made', itself: 'Its cohort is closed for good.' },
    ],
  },
  missed: { exits: [{ to: 'made', call: transfers.startRound, by: 'cohorts.approve' }] },
  perhaps_paid: {
    exits: [
      { to: 'made', call: transfers.startRound, by: 'cohorts.approve' },
      { to: 'made', call: transfers.decide, by: 'cohorts.approve' },
    ],
  },
  held: {
    exits: [
      { to: 'made', call: sendingHold.release, by: 'cohorts.approve' },
      { to: 'missed', call: sendingHold.release, by: 'cohorts.approve' },
    ],
  },
  made: { final: 'From here on each of its payments has a state of its own.' },
  not_made: { final: 'Its cohort was closed before its day had passed.' },
}

const upload: Table<StateOf<'imports'>> = {
  queued: {
    exits: [
      { to: 'reading', itself: 'A worker reads the file, another one if that worker is lost.' },
      { to: 'cancelled', call: imports.cancel, by: 'cohorts.create' },
    ],
  },
  reading: {
    exits: [
      { to: 'review', itself: 'The file is read.' },
      { to: 'failed', itself: 'The file cannot be read.' },
      { to: 'cancelled', call: imports.cancel, by: 'cohorts.create' },
    ],
  },
  review: {
    exits: [
      { to: 'importing', call: imports.confirm, by: 'cohorts.create' },
      { to: 'cancelled', call: imports.cancel, by: 'cohorts.create' },
    ],
  },
  importing: {
    exits: [
      { to: 'imported', itself: 'All rows are stored.' },
      { to: 'review', itself: 'The register has changed, so the rows are reviewed again.' },
      { to: 'failed', itself: 'The rows cannot be stored.' },
      { to: 'cancelled', call: imports.cancel, by: 'cohorts.create' },
    ],
  },
  imported: { final: 'The list is complete. Its cohort waits for the decision.' },
  failed: { final: 'Nothing was stored. The file is corrected and uploaded again.' },
  cancelled: { final: 'Nothing was stored.' },
}

const withdrawn = { to: 'withdrawn', call: statements.withdraw, by: 'statements.import' } as const
const statement: Table<StateOf<'agency_statements'>> = {
  queued: {
    exits: [
      { to: 'reading', itself: 'A worker reads the file, another one if that worker is lost.' },
      withdrawn,
    ],
  },
  reading: {
    exits: [
      { to: 'open', itself: 'Its lines are compared with the payments.' },
      { to: 'failed', itself: 'The file cannot be read.' },
      withdrawn,
    ],
  },
  open: { exits: [{ to: 'closed', call: statements.sign, by: 'statements.sign' }, withdrawn] },
  closed: { final: 'A second person signed it. A wrong one is replaced by another statement.' },
  withdrawn: { final: 'It counts for nothing. Its file can be uploaded again.' },
  failed: { final: 'Nothing was stored. The file is corrected and uploaded again.' },
}

const exception: Table<(typeof exceptionStates)[number]> = {
  open: { exits: [{ to: 'closed', call: paymentExceptions.close, by: 'cohorts.approve' }] },
  closed: { final: 'A person decided on it with a reason.' },
}

const decided = 'A second person decided on it.'

const correction: Table<StateOf<'recipient_corrections'>> = {
  proposed: {
    exits: [
      { to: 'approved', call: recipientCorrections.decide, by: 'cohorts.approve' },
      { to: 'refused', call: recipientCorrections.decide, by: 'cohorts.approve' },
      { to: 'refused', call: recipientCorrections.withdraw, by: 'recipients.correct' },
    ],
  },
  approved: { final: decided },
  refused: { final: decided },
}

const settlement: Table<StateOf<'payment_settlements'>> = {
  proposed: {
    exits: [
      { to: 'approved', call: paymentSettlements.decide, by: 'cohorts.approve' },
      { to: 'refused', call: paymentSettlements.decide, by: 'cohorts.approve' },
      { to: 'refused', call: paymentSettlements.withdraw, by: 'cohorts.create' },
      { to: 'answered', itself: 'The agency answers before the decision.' },
    ],
  },
  approved: { final: decided },
  refused: { final: decided },
  answered: { final: 'The agency’s own answer has settled the payment.' },
}

const move: Table<StateOf<'cohort_moves'>> = {
  proposed: {
    exits: [
      { to: 'approved', call: cohortMoves.decide, by: 'cohorts.approve' },
      { to: 'refused', call: cohortMoves.decide, by: 'cohorts.approve' },
      { to: 'refused', call: cohortMoves.withdraw, by: 'cohorts.create' },
    ],
  },
  approved: { final: decided },
  refused: { final: decided },
}

const budget: Table<StateOf<'parameter_budgets'>> = {
  proposed: {
    exits: [
      { to: 'confirmed', call: parameterBudgets.decide, by: 'cohorts.approve' },
      { to: 'refused', call: parameterBudgets.decide, by: 'cohorts.approve' },
      { to: 'refused', call: parameterBudgets.withdraw, by: 'parameters.create' },
    ],
  },
  confirmed: { final: 'It counts until a later one of the year is confirmed.' },
  refused: { final: decided },
}

const agency: Table<Selectable<DB['transfer_agencies']>['status']> = {
  active: { final: 'Lists can be uploaded and approved for it.' },
  inactive: { exits: [{ to: 'active', call: transfers.updateAgency, by: 'agencies.update' }] },
}

const agencyChange: Table<StateOf<'transfer_agency_changes'>> = {
  proposed: {
    exits: [
      { to: 'confirmed', call: transfers.decideAgencyChange, by: 'agencies.update' },
      { to: 'refused', call: transfers.decideAgencyChange, by: 'agencies.update' },
      { to: 'refused', call: transfers.withdrawAgencyChange, by: 'agencies.update' },
    ],
  },
  confirmed: { final: decided },
  refused: { final: decided },
}

const nameCheck: Table<StateOf<'name_checks'>> = {
  running: {
    exits: [
      { to: 'finished', itself: 'A worker asks about each row, another one if that worker is lost.' },
      { to: 'failed', itself: 'The agency refuses or stops answering.' },
      { to: 'cancelled', call: nameChecks.cancel, by: 'cohorts.create' },
    ],
  },
  failed: { exits: [{ to: 'running', call: nameChecks.start, by: 'cohorts.create' }] },
  cancelled: { final: 'Answers that came are kept. Another check goes on from them.' },
  finished: { final: 'The answers are kept and inform the approver.' },
}

const payeeHold: Table<'open' | 'ended'> = {
  open: {
    exits: [
      { to: 'ended', call: payeeHolds.release, by: 'cohorts.approve' },
      { to: 'ended', itself: 'Its last day has passed.' },
    ],
  },
  ended: { final: 'The girl is paid again. What was withheld is made again or written off.' },
}

const holdOfSending: Table<'held' | 'released'> = {
  held: { exits: [{ to: 'released', call: sendingHold.release, by: 'cohorts.approve' }] },
  released: { final: 'Payments are sent again.' },
}

const heldRound: Table<'asked' | 'not_askable' | 'known'> = {
  asked: {
    exits: [
      { to: 'known', itself: 'The agency has answered about each of its payments.' },
      { to: 'not_askable', itself: 'The agency cannot be asked, is not reached, or has moved.' },
    ],
  },
  not_askable: { exits: [{ to: 'known', call: sendingHold.confirmRound, by: 'cohorts.approve' }] },
  known: { final: 'It does not keep from releasing sending any more.' },
}

const bankFile: Table<'sent' | 'settled'> = {
  sent: {
    exits: [
      { to: 'settled', call: bankFiles.answer, by: 'statements.import' },
      { to: 'settled', call: statements.create, by: 'statements.import' },
      { to: 'settled', call: paymentSettlements.decide, by: 'cohorts.approve' },
    ],
  },
  settled: { final: 'The bank or people have settled all of its payments.' },
}

/**
 * A way out of every state of a transfer. The types are the closed lists of the database and of the contracts, so that a
 * new state does not compile without its exit.
 */
export const stateExits = {
  payment: paymentExits,
  cohort,
  round,
  'import of a list': upload,
  statement,
  exception,
  correction,
  settlement,
  'move to another agency': move,
  budget,
  agency,
  'change of an agency': agencyChange,
  'check of names': nameCheck,
  'hold of a payee': payeeHold,
  'hold of sending': holdOfSending,
  'round of a hold of sending': heldRound,
  'file for a bank': bankFile,
} satisfies Record<string, Table<string>>
