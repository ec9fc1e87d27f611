import type { Journey } from '../walker.ts'
import { accountant } from './accountant.ts'
import { administrator } from './administrator.ts'
import { approver } from './approver.ts'
import { attendance } from './attendance.ts'
import { expertAnswers, reviewerAsks, reviewerResolves } from './consultation.ts'
import { officer } from './officer.ts'
import { schoolOfficer } from './school-officer.ts'

/** In this order: what the officer has uploaded, the approver approves, and what the expert has answered, the reviewer reads. */
export const journeys: Journey[] = [
  officer,
  approver,
  accountant,
  schoolOfficer,
  attendance,
  reviewerAsks,
  expertAnswers,
  reviewerResolves,
  administrator,
]
