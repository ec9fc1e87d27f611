import { useLingui } from '@lingui/react/macro'
import { useCan } from '@portal/sdk'

/** Acts that are done for many payments at once. */
export const manyActs = ['retry', 'write_off'] as const

/** How each act is offered: in the menu of a payment, and above the list for all that are chosen. */
export function useActLooks() {
  const { t } = useLingui()
  const can = useCan()
  return {
    hold: {
      label: t`Put the girl on hold`,
      icon: 'stop',
      permission: 'holds.manage',
    },
    name: {
      label: t`Ask the agency for the name`,
      icon: 'question',
      permission: can('cohorts.create') ? 'cohorts.create' : 'cohorts.approve',
    },
    retry: { label: t`Retry`, forMany: t`Retry the selection`, icon: 'retry', permission: 'cohorts.approve' },
    correct: { label: t`Correct the recipient`, icon: 'pencil', permission: 'recipients.correct' },
    settle: { label: t`Settle with evidence`, icon: 'check', permission: 'cohorts.create' },
    write_off: {
      label: t`Write off`,
      forMany: t`Write off the selection`,
      icon: 'x',
      permission: 'arrears.write-off',
    },
  } as const
}
