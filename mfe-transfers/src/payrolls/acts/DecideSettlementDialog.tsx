import { Trans, useLingui } from '@lingui/react/macro'
import {
  type EvidenceLine,
  paymentSettlements,
  type SettlementDecision,
  type WaitingSettlement,
} from '@portal/contracts/transfers/payment-settlements'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { formatBytes, formatDate, formatPhone } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useDownload } from '@portal/screens/useDownload'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Totals } from '@portal/ui/Dialog'
import { Money } from '@portal/ui/Money'
import { Table } from '@portal/ui/Table'
import { receiverName } from '../../Receiver.tsx'
import { fullName } from '../../words.tsx'
import './words.ts'

type Props = {
  settlement: WaitingSettlement
  action: SettlementDecision['action']
  onClose: () => void
}

/** The second person's decision on the outcome of a payment, with payment and evidence side by side. */
export function DecideSettlementDialog({ settlement, action, onClose }: Props) {
  const { t } = useLingui()
  const approves = action === 'approved'
  const form = useEndpointForm(paymentSettlements.decide, {
    params: { id: settlement.id },
    defaults: { action },
    refetches: [paymentSettlements.list, payrolls.read, payrolls.list],
    problems: 'approval',
    onDone: onClose,
  })
  const barred = approves ? settlement.barred : null
  const who = fullName(settlement.user)
  const paid = settlement.outcome === 'paid'
  return (
    <ConfirmDialog
      title={approves ? t`Approve the settlement` : t`Refuse the settlement`}
      description={`${receiverName(settlement)} · ${settlement.reference}`}
      form={form}
      onClose={onClose}
      danger={!approves}
      barred={barred}
      confirmLabel={approves ? t`Approve the settlement` : t`Refuse the settlement`}
    >
      <p>
        <Trans>
          {who} proposed the settlement: {settlement.reason}
        </Trans>
      </p>
      {settlement.line && <Compared settlement={settlement} line={settlement.line} />}
      {settlement.document && <Evidence id={settlement.id} document={settlement.document} />}
      <Totals
        label={t`Control totals`}
        rows={[
          {
            key: 'outcome',
            label: t`What the evidence says`,
            value: paid ? t`The family was paid` : t`The family was not paid`,
          },
          { key: 'amount', label: t`Amount`, value: <Money amount={settlement.amount} />, sum: true },
        ]}
      />
      <p>
        {!approves ? (
          <Trans>The agency is asked on, and another settlement can be proposed.</Trans>
        ) : paid ? (
          <Trans>The payment counts as paid, and nobody pays it again.</Trans>
        ) : (
          <Trans>
            The payment counts as failed and can be made again. If the agency paid it after all, the family
            may get it twice: be certain.
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  )
}

/** Our payment beside the line of the agency. */
function Compared({ settlement, line }: { settlement: WaitingSettlement; line: EvidenceLine }) {
  const { t } = useLingui()
  const shown = (text: string | null) => text ?? '–'
  const number = settlement.receiver_account ?? settlement.receiver_phone_number
  const phone = (text: string | null) => (text ? formatPhone(text) : '–')
  const money = (amount: number) => <Money amount={amount} currency={false} />
  return (
    <Table
      compact
      label={t`Payment and statement`}
      rows={[
        { key: 'reference', of: t`Reference`, ours: settlement.reference, theirs: shown(line.reference) },
        { key: 'name', of: t`Name`, ours: receiverName(settlement), theirs: shown(line.name) },
        { key: 'number', of: t`Recipient number`, ours: phone(number), theirs: phone(line.number) },
        {
          key: 'amount',
          of: t`Amount (XOF)`,
          ours: money(settlement.amount),
          theirs: money(line.amount),
        },
        { key: 'day', of: t`Day`, ours: '–', theirs: formatDate(line.day) },
        { key: 'file', of: t`Row`, ours: '–', theirs: `${line.file_name}, ${line.row}` },
      ]}
      rowKey={({ key }) => key}
      empty={t`No data available`}
      columns={[
        { key: 'of', header: t`Field`, wrap: true },
        { key: 'ours', header: t`Payment`, wrap: true },
        { key: 'theirs', header: t`Statement`, wrap: true },
      ]}
    />
  )
}

type Document = NonNullable<WaitingSettlement['document']>

function Evidence({ id, document }: { id: number; document: Document }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { busy, download } = useDownload()
  const { file_name, size } = document
  const save = () => download(() => client.file(paymentSettlements.document, { params: { id } }), file_name)
  return (
    <Button icon="download" busy={busy} onClick={save}>
      {t`Look at ${file_name}`} ({formatBytes(size)})
    </Button>
  )
}
