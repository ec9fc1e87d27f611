import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { bankFiles, type NextBankFile } from '@portal/contracts/transfers/bank-files'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredNow } from '@portal/screens/useStoredNow'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

type Props = {
  groupId: number
  next: NextBankFile
  /** Gets the id of the file that was made. */
  onMade: (id: number) => void
  onClose: () => void
}

/** Sends the payments of a round by making their file, after a look at count, sum and account. */
export function MakeBankFileDialog({ groupId, next, onMade, onClose }: Props) {
  const { t } = useLingui()
  const { payments, amount, agency, account, barred } = next
  const form = useEndpointForm(bankFiles.create, {
    params: { groupId },
    defaults: { payments, amount, account },
    refetches: [bankFiles.list, payrolls.read],
    problems: 'approval',
    onDone: ({ bank_file }) => {
      onMade(bank_file.id)
      onClose()
    },
  })
  useStoredNow(form, { payments, amount, account })
  return (
    <ConfirmDialog
      title={t`Make bank file`}
      description={agency}
      form={form}
      onClose={onClose}
      barred={barred && t`It cannot be made now.`}
      confirmLabel={
        <Plural value={payments} one="Make the file of # payment" other="Make the file of # payments" />
      }
    >
      {barred && <Notice tone="waiting">{barred}</Notice>}
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'account', label: t`Account that pays`, value: <span className="mono">{account}</span> },
          { key: 'count', label: t`Recipients to pay`, value: <Count value={payments} /> },
          { key: 'amount', label: t`Amount`, value: <Money amount={amount} />, sum: true },
        ]}
      />
      <p>
        <Trans>
          From now on these payments count as sent, and no other file will have them. Hand the file in at the
          bank once. It can be downloaded again at any time and is always the same.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
