import { Plural, useLingui } from '@lingui/react/macro'
import { type FindingCategory, statements } from '@portal/contracts/transfers/statements'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextAreaField } from '@portal/ui/TextField'
import { touched } from './touched.ts'

/** The differences to resolve: chosen ones, or all that are open in a category. */
export type Wanted = { count: number } & (
  | { ids: number[]; category?: never }
  | { category: Exclude<FindingCategory, 'matched'>; ids?: never }
)

type ResolveProps = { id: number; wanted: Wanted; onDone: () => void; onClose: () => void }

/** Gives differences the reason for which they are accepted. */
export function ResolveDialog({ id, wanted, onDone, onClose }: ResolveProps) {
  const { t } = useLingui()
  const form = useEndpointForm(statements.resolve, {
    params: { id },
    defaults: { reason: '', ...(wanted.ids ? { finding_ids: wanted.ids } : { category: wanted.category }) },
    refetches: touched,
    problems: 'approval',
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <ConfirmDialog title={t`Resolve differences`} form={form} onClose={onClose} confirmLabel={t`Resolve`}>
      <p>
        <Plural
          value={wanted.count}
          one="# difference gets this reason. No payment changes by it."
          other="# differences get this reason. No payment changes by it."
        />
      </p>
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`It stays with the statement and in the audit log for good: write no names.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
