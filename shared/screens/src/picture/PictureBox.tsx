import { Trans, useLingui } from '@lingui/react/macro'
import { longestAlt, type Picture } from '@portal/contracts/record-pictures'
import type { PictureCalls } from '@portal/contracts/records'
import { formatPercent } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import type { Worn } from '@portal/ui/FieldFrame'
import { Icon } from '@portal/ui/Icon'
import { useId, useRef } from 'react'
import { problemText } from '../problemText.tsx'
import { useAddress, usePicture } from './usePicture.ts'
import { type Sending, useSending } from './useSending.ts'
import './words.ts'

type Props = {
  calls: PictureCalls
  value: Picture | null
  onChange: (picture: Picture | null) => void
  onBlur: () => void
  name: string
  disabled: boolean | undefined
  worn: Worn
}

/** A picture of a form: chosen, sent at once, described, replaced and removed. */
export function PictureBox({ calls, value, onChange, onBlur, name, disabled, worn }: Props) {
  const { t } = useLingui()
  const altId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { sending, choose, remove, retry } = useSending({ calls, value, onChange })
  const stored = usePicture({ calls, id: sending ? null : (value?.id ?? null), size: 'small' })
  const chosen = useAddress(sending && !sending.fault ? sending.file : null)
  const address = chosen ?? stored.address
  const status = useStatus(sending)
  return (
    <div className="picture-field">
      <span className="picture-place">
        {address ? <img src={address} alt={value?.alt || t`The chosen picture`} /> : <Icon name="clip" />}
      </span>
      <div className="picture-facts">
        <div className="row">
          <input
            ref={input}
            id={worn.id}
            aria-label={t`Choose a picture`}
            aria-describedby={worn['aria-describedby']}
            aria-invalid={worn['aria-invalid']}
            type="file"
            name={name}
            accept="image/jpeg,image/png,image/webp"
            className="hidden-visually"
            tabIndex={-1}
            disabled={disabled}
            onBlur={onBlur}
            onChange={(event) => {
              const file = event.target.files?.[0]
              if (file) void choose(file)
              // Choosing the same file again must fire a change, because it may have been corrected.
              event.target.value = ''
            }}
          />
          <Button
            small
            disabled={disabled}
            onClick={() => input.current?.click()}
            aria-describedby={worn['aria-describedby']}
          >
            {value ? <Trans>Replace the picture</Trans> : <Trans>Choose a picture</Trans>}
          </Button>
          {value && (
            <Button small disabled={disabled} onClick={remove}>
              <Trans>Remove the picture</Trans>
            </Button>
          )}
          {sending?.problem && (
            <Button small variant="primary" onClick={retry}>
              <Trans>Send the picture again</Trans>
            </Button>
          )}
        </div>
        {isUnderWay(sending) && (
          <progress max={1} value={sending?.share ?? 0} aria-label={t`Share of the picture that is sent`} />
        )}
        <span role="status" className={sending?.problem || sending?.fault ? 'error-text' : 'muted small'}>
          {status ?? (stored.problem && problemText(stored.problem))}
        </span>
        {value && (
          <>
            <label htmlFor={altId}>
              <Trans>What is to be seen on it</Trans>
            </label>
            <input
              id={altId}
              className="input"
              value={value.alt}
              maxLength={longestAlt}
              disabled={disabled}
              onBlur={onBlur}
              onChange={(event) => onChange({ ...value, alt: event.target.value })}
            />
          </>
        )}
      </div>
    </div>
  )
}

const isUnderWay = (sending: Sending | null) =>
  sending !== null && !sending.problem && !sending.fault && (sending.share ?? 0) < 1

/** How the picture fares, in words. */
function useStatus(sending: Sending | null): string | null {
  const { t } = useLingui()
  if (!sending) return null
  const { fault, problem, share } = sending
  if (fault === 'kind') return t`This is no picture that can be sent. Choose a JPEG, PNG or WebP.`
  if (fault === 'size')
    return t`This picture is larger than 2 MB, also after it was made smaller. Choose another one.`
  if (problem) {
    const why = problem.errors.file?.[0] ?? problemText(problem)
    return t`The picture was not sent, and is kept here. ${why}`
  }
  if (share === null) return t`The picture is being made smaller…`
  if (share < 1) return t`The picture is being sent: ${formatPercent(share)}`
  return t`The picture was sent. It is kept once the form is saved.`
}
