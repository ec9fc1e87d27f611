import { useLingui } from '@lingui/react/macro'
import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import type { Sheet } from '@portal/contracts/sheet'
import { currentLocale } from '@portal/i18n/locale'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { FileField } from '@portal/ui/FileField'
import type { Control, FieldValues } from 'react-hook-form'
import { DetailsDialog } from './DetailsDialog.tsx'
import { FormDialog } from './FormDialog.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { useDialog } from './useDialog.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'

type Props<E extends Endpoint> = {
  /** What the file holds; `sheet.field` is the call's only field. */
  sheet: Sheet
  endpoint: E & (AnswerOf<E> extends { import: { id: number } } ? unknown : never)
  permission: Permission
  /** Fetched again when the file is accepted. */
  refetches: readonly Endpoint[]
}

/** Chooses an Excel file, sends it with its progress, and watches the import until it ends. */
export function ImportButton<E extends Endpoint>({ permission, ...rest }: Props<E>) {
  const { t } = useLingui()
  const can = useCan()
  const dialog = useDialog()
  if (!can(permission)) return null
  return (
    <>
      <Button icon="upload" onClick={() => dialog.open(true)}>
        {t`Import`}
      </Button>
      {dialog.item && <ImportDialog {...rest} onClose={dialog.close} />}
    </>
  )
}

type DialogProps = Pick<Props<Endpoint>, 'sheet' | 'refetches'> & { endpoint: Endpoint; onClose: () => void }

function ImportDialog({ sheet, endpoint, refetches, onClose }: DialogProps) {
  const { t } = useLingui()
  const running = useDialog<number>()
  const title = sheet.title[currentLocale()]
  const form = useEndpointForm(endpoint, {
    refetches,
    onDone: (answer: unknown) => running.open((answer as { import: { id: number } }).import.id),
  } as Parameters<typeof useEndpointForm>[1])
  if (running.item !== null) {
    return (
      <DetailsDialog title={t`Import: ${title}`} onClose={onClose} wide>
        <ImportProgress id={running.item} />
      </DetailsDialog>
    )
  }
  return (
    <FormDialog title={t`Import: ${title}`} form={form} onClose={onClose} submitLabel={t`Upload`}>
      <FileField
        control={form.control as unknown as Control<FieldValues>}
        name={sheet.field}
        label={t`Excel file (.xlsx or .xls)`}
        accept=".xlsx,.xls"
        required
      />
    </FormDialog>
  )
}
