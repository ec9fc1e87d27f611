import { useLingui } from '@lingui/react/macro'
import { bankFiles } from '@portal/contracts/transfers/bank-files'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { FileField } from '@portal/ui/FileField'
import './words.ts'

/** Uploads what the bank answered to a file. */
export function UploadAnswerDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(bankFiles.answer, {
    refetches: [bankFiles.list, payrolls.read],
    problems: 'default',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Upload answer`}
      description={t`Payments that the bank made or refused are settled. The same answer again changes nothing.`}
      form={form}
      quick={false}
      onClose={onClose}
      submitLabel={t`Upload and settle`}
    >
      <FileField
        control={form.control}
        name="answer_file"
        label={t`Answer of the bank`}
        help={t`pain.002 (.xml), 20 MB at most, as the bank wrote it. A statement (camt.053) is uploaded under Statements.`}
        accept=".xml"
        required
      />
    </FormDialog>
  )
}
