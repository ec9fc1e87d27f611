import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { IconButton } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { type Message, messageEvent } from './notify.ts'
import { usePhone } from './usePhone.tsx'

const icons: Record<Message['tone'], IconName> = { good: 'good', bad: 'bad', info: 'info' }

function show(message: Message) {
  // An error is read slowly and its reference may be copied: it stays until it is closed.
  const duration = message.tone === 'bad' ? Number.POSITIVE_INFINITY : message.detail ? 8000 : 5000
  toast.custom((id) => <Toast message={message} onClose={() => toast.dismiss(id)} />, {
    duration,
    unstyled: true,
  })
}

function Toast({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useLingui()
  const { tone, title, detail, reference, action } = message
  return (
    <div className={`toast ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[tone]} />
      <span className="strong pre-line">{title}</span>
      <IconButton icon="x" label={t`Close`} onClick={onClose} />
      {(detail || reference || action) && (
        <p className="pre-line">
          {detail}
          {reference && (
            <>
              {' '}
              <Trans>Reference {reference}.</Trans>
            </>
          )}
          {action && (
            <>
              {' '}
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  onClose()
                  action.onSelect()
                }}
              >
                {action.label}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/**
 * Where messages appear, once per page: bottom left of the content on wide screens, under the top bar on phones,
 * away from the actions of pages (top right), of dialogs (bottom right) and of sheets (bottom).
 */
export function Toaster() {
  const { t } = useLingui()
  const phone = usePhone()
  useEffect(() => {
    const listen = (event: Event) => {
      event.preventDefault()
      show((event as CustomEvent<Message>).detail)
    }
    window.addEventListener(messageEvent, listen)
    return () => window.removeEventListener(messageEvent, listen)
  }, [])
  return (
    <Sonner
      position={phone ? 'top-center' : 'bottom-left'}
      offset={{ bottom: 24, left: 'var(--toast-left, 24px)' }}
      mobileOffset={{ top: 68, left: 8, right: 8 }}
      visibleToasts={4}
      expand
      gap={8}
      containerAriaLabel={t`Messages`}
    />
  )
}
