import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { FormDialog } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { DateField } from '@portal/ui/DateField'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import './words.ts'

/** Puts one girl on hold: she is not paid until she is released. */
export function HoldPayeeDialog({ studentId, onClose }: { studentId: number; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error } = useQuery(queryOf(client, payeeHolds.payee, { params: { id: studentId } }))
  const payee = data?.payee
  const form = useEndpointForm(payeeHolds.create, {
    defaults: { student_id: studentId, reason: '', case_number: '', ends_on: '' },
    refetches: [payeeHolds.list, payeeHolds.payee, payrolls.read, payrolls.list, transfers.summary],
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Put the girl on hold`}
      description={
        payee && `${payee.first_name} ${payee.last_name} · ${payee.student_code} · ${payee.school_name}`
      }
      form={form}
      quick={false}
      onClose={onClose}
      submitLabel={t`Put on hold`}
    >
      {error && (
        <Notice tone="bad" alert>
          {problemText(asProblem(error), 'request')}
        </Notice>
      )}
      {payee?.held && <Notice tone="waiting">{t`She is on hold already. Release that hold first.`}</Notice>}
      <p>
        <Trans>
          She is not paid until somebody releases her: neither by payments that wait now nor by new rounds.
          What is withheld counts as arrears. Everybody else is paid.
        </Trans>
      </p>
      {payee && payee.sent > 0 && (
        <Notice>
          <Plural
            value={payee.sent}
            one="# payment to her is at the agency already and is not stopped."
            other="# payments to her are at the agency already and are not stopped."
          />
        </Notice>
      )}
      <TextAreaField control={form.control} name="reason" label={t`Reason`} maxLength={500} required />
      <TextField
        control={form.control}
        name="case_number"
        label={t`Case number`}
        help={t`If there is a case about it.`}
      />
      <DateField
        control={form.control}
        name="ends_on"
        label={t`Last day of the hold`}
        help={t`Empty: until somebody releases her.`}
      />
    </FormDialog>
  )
}
