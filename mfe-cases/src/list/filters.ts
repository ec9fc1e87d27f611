import { t } from '@lingui/core/macro'
import type { cases } from '@portal/contracts/cases'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { ListFilter } from '@portal/screens/DataTable'
import { fullName, priorityOptions } from '../words.tsx'

type Names = 'status' | 'priority' | 'type' | 'reviewer' | 'mine' | 'due'

/** What the list of cases can be narrowed by; categories and reviewers come with it. */
export function caseFilters(answer: AnswerOf<typeof cases.list> | undefined): ListFilter<Names>[] {
  return [
    {
      name: 'status',
      label: t`Status`,
      options: [
        { value: 'new', label: t`New` },
        { value: 'open', label: t`Open` },
        { value: 'in_progress', label: t`Awaiting external input` },
        { value: 'resolved', label: t`Resolved` },
        { value: 'rejected', label: t({ message: 'Rejected', context: 'of a case' }) },
      ],
    },
    {
      name: 'priority',
      label: t`Priority`,
      as: 'select',
      all: t`All priorities`,
      options: priorityOptions(),
    },
    {
      name: 'type',
      label: t`Category`,
      as: 'select',
      all: t`All categories`,
      options: (answer?.complainTypes ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      name: 'reviewer',
      label: t`Reviewer`,
      as: 'select',
      all: t`All reviewers`,
      options: (answer?.partners ?? []).map(({ user }) => ({
        value: String(user.id),
        label: fullName(user),
      })),
    },
    {
      name: 'mine',
      label: t`Whose`,
      as: 'select',
      all: t`Everybody’s`,
      options: [{ value: 'yes', label: t`Filed or reviewed by me` }],
    },
    {
      name: 'due',
      label: t`Due`,
      as: 'select',
      all: t`Whenever due`,
      options: [
        { value: 'undecided', label: t`Not decided yet` },
        { value: 'overdue', label: t`Overdue` },
        { value: 'this_week', label: t`Within a week` },
        { value: 'mine', label: t`Mine within a week` },
      ],
    },
  ]
}
