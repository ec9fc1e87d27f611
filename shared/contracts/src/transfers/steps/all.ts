import { cohortSteps, listImportSteps, moveSteps } from './cohort.ts'
import { heldRoundSteps, payeeHoldSteps, sendingHoldSteps } from './hold.ts'
import { nameCheckSteps } from './names.ts'
import { correctionSteps, exceptionSteps, settlementSteps } from './payment.ts'
import { bankFileSteps, roundSteps } from './round.ts'
import { agencyChangeSteps, agencySteps, budgetSteps } from './settings.ts'
import { statementSteps } from './statement.ts'
import type { StateSteps } from './step.ts'

/**
 * What the screens say about each state of a transfer. Payments have sentences of their own (`next_step`). A test of the api
 * compares this table with the ways out of every state. Screens import the part that they show.
 */
export const stateSteps = {
  cohort: cohortSteps,
  round: roundSteps,
  'import of a list': listImportSteps,
  'hold of sending': sendingHoldSteps,
  'round of a hold of sending': heldRoundSteps,
  'file for a bank': bankFileSteps,
  'check of names': nameCheckSteps,
  'hold of a payee': payeeHoldSteps,
  statement: statementSteps,
  exception: exceptionSteps,
  correction: correctionSteps,
  settlement: settlementSteps,
  'move to another agency': moveSteps,
  budget: budgetSteps,
  'change of an agency': agencyChangeSteps,
  agency: agencySteps,
} satisfies Record<string, StateSteps>
