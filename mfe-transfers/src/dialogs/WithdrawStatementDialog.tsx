import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import type { Endpoint } from '@portal/contracts/endpoint'
import { type StatementWithdrawal, statements } from '@portal/contracts/transfers/statements'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Totals } from '@portal/ui/Dialog'
import { Count } from '@portal/ui/Money'
import { TextAreaField } from '@portal/ui/TextField'
import './words.ts'

type Props = { id: number; refetches: readonly Endpoint[]; onClose: () => void }

/** Takes back a statement that is not signed, such as one of the wrong agency, after saying what goes with it and what stays. */
export function WithdrawStatementDialog({ id, refetches, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery({ ...queryOf(client, statements.withdrawal, { params: { id } }), staleTime: 0 })
  const form = useEndpointForm(statements.withdraw, {
    params: { id },
    defaults: { reason: '' },
    refetches,
    problems: 'approval',
    onDone: onClose,
  })
  const waits = read.error
    ? problemText(asProblem(read.error), 'request')
    : t`What goes with it is being counted.`
  return (
    <ConfirmDialog
      title={t`Withdraw statement`}
      form={form}
      onClose={onClose}
      danger
      barred={read.data ? read.data.barred : waits}
      confirmLabel={t`Withdraw`}
    >
      {read.data && <Effects of={read.data} />}
      <p>
        <Trans>
          Its lines and what was resolved are deleted. Payments that they settled stay paid. The file can be
          uploaded again.
        </Trans>
      </p>
      <TextAreaField control={form.control} name="reason" label={t`Reason`} maxLength={500} required />
    </ConfirmDialog>
  )
}

/** What the withdrawal deletes, leaves and sets free. What is rare has a line only if there is some. */
function Effects({ of }: { of: StatementWithdrawal }) {
  const { t } = useLingui()
  const rows = [
    { key: 'lines', label: t`Lines that are deleted`, always: true },
    { key: 'resolved', label: t`Resolved differences that are deleted` },
    { key: 'settled', label: t`Payments that it settled and that stay paid`, always: true },
    { key: 'waiting', label: t`Payments that still wait for evidence` },
    { key: 'freed', label: t`Failed payments that no longer wait for it` },
  ] as const
  return (
    <Totals
      label={t`Control totals`}
      rows={rows
        .filter((row) => 'always' in row || of[row.key] > 0)
        .map(({ key, label }) => ({ key, label, value: <Count value={of[key]} /> }))}
    />
  )
}
