import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'
import { type ReactNode, useState } from 'react'

type Props = {
  title: string
  description: string
  /** Why it has to be kept now. */
  warning: ReactNode
  /** What is copied. */
  secret: string
  words: { copy: string; copied: string; notCopied: string; kept: string }
  /** Other ways to keep it, between the copy and the way out. */
  ways?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * What is shown once and kept nowhere in the clear: a token, recovery codes. Every word is given, because the catalog of this
 * folder comes with the first file of the portal.
 */
export function KeepDialog({ title, description, warning, secret, words, ways, onClose, children }: Props) {
  // The message stands inside the dialog, because a toast would cover the warning on a phone.
  const [copied, setCopied] = useState<boolean | null>(null)
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <Button icon="copy" onClick={() => void copy()}>
            {words.copy}
          </Button>
          {ways}
          <Button variant="primary" onClick={onClose}>
            {words.kept}
          </Button>
        </>
      }
    >
      <Notice tone="waiting">{warning}</Notice>
      {children}
      {copied !== null && (
        <Notice tone={copied ? 'good' : 'bad'} alert>
          {copied ? words.copied : words.notCopied}
        </Notice>
      )}
    </Dialog>
  )
}
