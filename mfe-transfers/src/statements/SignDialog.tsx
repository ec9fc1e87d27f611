import { Trans, useLingui } from '@lingui/react/macro'
import { type OpenedStatement, statements } from '@portal/contracts/transfers/statements'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredNow } from '@portal/screens/useStoredNow'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { theirsOf } from './figures.ts'
import { touched } from './touched.ts'

/** Signs a statement for good; the server asks for the password first. */
export function SignDialog({ statement, onClose }: { statement: OpenedStatement; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(statements.sign, {
    params: { id: statement.id },
    defaults: { version: statement.version },
    refetches: touched,
    problems: 'approval',
    onDone: onClose,
  })
  useStoredNow(form, { version: statement.version })
  const matched = statement.totals.find(({ category }) => category === 'matched')
  return (
    <ConfirmDialog
      title={t`Sign statement`}
      form={form}
      onClose={onClose}
      barred={statement.barred}
      confirmLabel={t`Sign and close`}
    >
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'lines', label: t`Lines of the agency`, value: <Count value={statement.lines_read} /> },
          {
            key: 'paid',
            label: t`Paid by the statement`,
            value: <Money amount={theirsOf(statement.totals)} />,
          },
          {
            key: 'matched',
            label: t`Of which matched`,
            value: <Money amount={matched?.their_amount ?? 0} />,
          },
        ]}
      />
      <p>
        <Trans>
          A signed statement is closed: nothing of it changes any more. A wrong one is replaced by another.
        </Trans>
      </p>
      <p>
        <Trans>
          Failed payments that it has as paid go to “Answers to look at”. They are not made again before
          somebody has decided on them.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
