import type { cases } from '@portal/contracts/cases'
import type { Consultation } from '@portal/contracts/cases/external'
import type { AnswerOf } from '@portal/contracts/endpoint'

/** A request as the server shows it to its consultant (Cases 4.2), from what its reviewer may read. */
export function previewOf(
  { complain, referrals }: AnswerOf<typeof cases.details>,
  id: number,
): Consultation | undefined {
  const found = referrals.find((each) => each.id === id)
  if (!found) return
  const { number, comment, salutation, first_name, last_name, created_at, expires_at, documents } = found
  const { assigned, assigned_id } = complain
  return {
    id,
    number,
    comment,
    salutation,
    first_name,
    last_name,
    created_at,
    expires_at,
    resolved_at: null,
    rejected_at: null,
    user: {
      id: assigned_id,
      first_name: masked(assigned.first_name),
      last_name: masked(assigned.last_name),
    },
    complain: { id: complain.id, number: complain.number, created_at: complain.created_at },
    document: documents[0] ?? null,
    documents,
  }
}

/** First letter and four dots, as the server masks a reviewer. */
const masked = (name: string) => `${[...name][0] ?? ''}••••`
