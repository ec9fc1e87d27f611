import { documentFault, documentLimit } from '@portal/contracts/documents'
import { sayOfField } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { FileDrop } from '@portal/ui/FileDrop'
import { type ReactNode, type RefCallback, useRef, useState } from 'react'
import { shrinkPhoto } from './shrink-photo.ts'

type Props = {
  label: ReactNode
  help: ReactNode
  required?: boolean | undefined
  name: string
  file: File | null
  onFile: (file: File | null) => void
  onBlur?: () => void
  buttonRef?: RefCallback<HTMLButtonElement>
  disabled?: boolean | undefined
  /** What the call refused the file for. */
  error?: string | undefined
}

/** A document of a case: photos are made smaller when they are chosen, and what cannot be sent is refused at once. */
export function DocumentDrop({ label, help, required, file, onFile, error, ...drop }: Props) {
  const [shrinking, setShrinking] = useState(false)
  const latest = useRef<File>(null)
  const fault = file && !shrinking ? documentFault(file) : undefined
  const choose = async (chosen: File | null) => {
    latest.current = chosen
    onFile(chosen)
    setShrinking(chosen !== null)
    if (!chosen) return
    const smaller = await shrinkPhoto(chosen, documentLimit)
    // Another file may have been chosen meanwhile.
    if (latest.current !== chosen) return
    setShrinking(false)
    if (smaller !== chosen) onFile(smaller)
  }
  return (
    <FieldFrame
      label={label}
      help={help}
      required={required}
      error={fault ? sayOfField(fault, currentLocale()) : error}
    >
      {(worn) => (
        <FileDrop
          {...drop}
          id={worn.id}
          file={file}
          onFile={(chosen) => void choose(chosen)}
          accept=".jpg,.jpeg,.png,.pdf"
          icon="clip"
          describedBy={worn['aria-describedby']}
          invalid={worn['aria-invalid']}
        />
      )}
    </FieldFrame>
  )
}
