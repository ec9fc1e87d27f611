import { Trans, useLingui } from '@lingui/react/macro'
import { formatBytes } from '@portal/i18n/format'
import { type RefCallback, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'

type DropProps = {
  id?: string
  file: File | null
  onFile: (file: File | null) => void
  accept?: string
  icon?: IconName
  disabled?: boolean
  name?: string
  onBlur?: () => void
  describedBy?: string
  invalid?: boolean
  /** Gets the button that chooses a file: an error of the form leads to it. */
  buttonRef?: RefCallback<HTMLButtonElement>
}

/** A place to drop one file, with a button to choose it; shows its name and size. */
export function FileDrop({
  id,
  file,
  onFile,
  accept,
  icon = 'sheet',
  disabled,
  name,
  onBlur,
  describedBy,
  invalid,
  buttonRef,
}: DropProps) {
  const { t } = useLingui()
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button and the input do the same by keyboard
    <div
      className={over ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!disabled)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const dropped = event.dataTransfer.files[0]
        if (dropped && !disabled) onFile(dropped)
      }}
    >
      <Icon name={file ? icon : 'upload'} />
      <span className={file ? 'grow name' : 'grow muted'}>
        {file ? (
          <>
            <span className="strong">{file.name}</span>{' '}
            <span className="muted nowrap">{formatBytes(file.size)}</span>
          </>
        ) : (
          <Trans>Drop the file here</Trans>
        )}
      </span>
      <input
        ref={input}
        id={id}
        name={name}
        type="file"
        accept={accept}
        className="hidden-visually"
        tabIndex={-1}
        disabled={disabled}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        onBlur={onBlur}
        onChange={(event) => {
          onFile(event.target.files?.[0] ?? null)
          // Choosing the same file again must fire a change, because it may have been corrected.
          event.target.value = ''
        }}
      />
      {file && (
        <IconButton
          icon="x"
          label={t`Remove the file`}
          disabled={disabled}
          onClick={() => {
            button.current?.focus()
            onFile(null)
          }}
        />
      )}
      <Button
        ref={(element) => {
          button.current = element
          buttonRef?.(element)
        }}
        disabled={disabled}
        onClick={() => input.current?.click()}
        aria-describedby={describedBy}
      >
        {file ? <Trans>Choose another</Trans> : <Trans>Choose a file</Trans>}
      </Button>
    </div>
  )
}
