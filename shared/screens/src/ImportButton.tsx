import { useLingui } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { FileField } from '@portal/ui/FileField'
import type { Control, FieldValues } from 'react-hook-form'
import { DetailsDialog } from './DetailsDialog.tsx'
import { FormDialog } from './FormDialog.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { useDialog } from './useDialog.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'

type Props = {
  /** Multipart, with the sheet's file as its only field; its answer names the import. */
  endpoint: Endpoint
  /** Name of that field: `schools_file`. */
  field: string
  permission: Permission
  /** Fetched again when the import ends. */
  refetches: readonly Endpoint[]
  /** What the dialog does: "Import schools". */
  title: string
}

/** Chooses an Excel file, sends it with its progress, and watches the import until it ends. */
export function ImportButton({ permission, ...rest }: Props) {
  const can = useCan()
  const dialog = useDialog()
  if (!can(permission)) return null
  return (
    <>
      <Button icon="upload" onClick={() => dialog.open(true)}>
        {rest.title}
      </Button>
      {dialog.item && <ImportDialog {...rest} onClose={dialog.close} />}
    </>
  )
}

function ImportDialog({
  endpoint,
  field,
  refetches,
  title,
  onClose,
}: Omit<Props, 'permission'> & { onClose: () => void }) {
  const { t } = useLingui()
  const running = useDialog<number>()
  const form = useEndpointForm(endpoint, {
    refetches,
    onDone: (answer: unknown) => running.open((answer as { import: { id: number } }).import.id),
  } as Parameters<typeof useEndpointForm>[1])
  if (running.item !== null) {
    return (
      <DetailsDialog title={title} onClose={onClose} wide>
        <ImportProgress id={running.item} />
      </DetailsDialog>
    )
  }
  return (
    <FormDialog title={title} form={form} onClose={onClose} submitLabel={t`Upload`}>
      <FileField
        control={form.control as unknown as Control<FieldValues>}
        name={field}
        label={t`Excel file (.xlsx or .xls)`}
        accept=".xlsx,.xls"
        required
      />
    </FormDialog>
  )
}
