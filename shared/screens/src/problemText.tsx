import { t } from '@lingui/core/macro'
import type { Problem } from '@portal/client/problem'
import type { Failure } from '@portal/ui/Table'

/** Whose general sentence a 422 gets (Calls 2.2): most forms say `request`, the cohort upload `default`. */
export type ProblemForm = 'default' | 'request' | 'approval' | 'export' | 'user' | 'case'

const requestInvalid = () =>
  t`Error: Your request has validation errors! Please make sure all required fields are filled accordingly and try again.`

const invalid: Record<ProblemForm, () => string> = {
  default: () => t`Error: Form has validation errors!`,
  request: requestInvalid,
  user: requestInvalid,
  case: requestInvalid,
  approval: () => t`Error: Validation errors! Please fill required fields and try again.`,
  export: () => t`Error: Form has validation errors!`,
}

/** What to tell a person about a call that failed: Calls 2.2 to Calls 2.4. */
export function problemText(problem: Problem, form: ProblemForm = 'default'): string {
  const { status, kind, message, disconnected } = problem
  if (disconnected) return t`There is no connection. Try again when it is back.`
  const unexpected = t`An unexpected error occurred. Please try again later.`
  if (kind === 'offline') return unexpected
  if (status === 500 && message) return t`Server Error: ${message}`
  if (form === 'export' && message) return t`Error exporting file: ${message}`
  if (kind === 'forbidden') return t`Access Denied: ${message}`
  if (kind === 'invalid') return invalid[form]()
  if (form === 'case') {
    const text = message || t`status ${status}`
    return t`An unexpected error occurred: ${text}`
  }
  return message || (form === 'user' ? unexpected : t`An error occurred. Please try again later.`)
}

/** The sentence about the first refused field or filter, or else about the whole call. */
export const firstProblemText = (problem: Problem): string =>
  Object.values(problem.errors)[0]?.[0] ?? problemText(problem)

/** The error state of a query, for tables and cards: sentence, reference of the log, retry. If a filter was refused, it is the sentence about that filter. */
export function failureOf(problem: Problem | null, retry: () => unknown): Failure | null {
  if (!problem) return null
  const { request_id } = problem
  return {
    title: firstProblemText(problem),
    onRetry: () => void retry(),
    ...(request_id && { reference: request_id }),
  }
}
