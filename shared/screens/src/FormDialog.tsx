import { Trans, useLingui } from '@lingui/react/macro'
import { formatPercent } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import { CancelButton, Dialog } from '@portal/ui/Dialog'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import { Notice } from '@portal/ui/Notice'
import { type ReactNode, useEffect, useRef } from 'react'
import type { LongForm } from './draft/draft-of.ts'
import type { AnyForm } from './useEndpointForm.tsx'

/** Fetched beside a long form: nobody waits for it, and a form goes on without it. */
const draftFile = lazyFile(() => import('./draft/Draft.tsx'))

type Props = {
  /** A verb: what is done here. */
  title: ReactNode
  description?: ReactNode
  form: AnyForm
  onClose: () => void
  /** Says the act; "Save" where nothing more exact is known. */
  submitLabel?: ReactNode
  /** False for what moves money: Ctrl or ⌘ with Enter does not send it. */
  quick?: boolean
  wide?: boolean
  children: ReactNode
}

/** A form in a dialog: it stays open, with what was typed, until the call has succeeded. */
export function FormDialog({
  title,
  description,
  form,
  onClose,
  submitLabel,
  quick = true,
  wide,
  children,
}: Props) {
  const leave = () => {
    if (form.draft) form.draft.ended.current = true
    onClose()
  }
  return (
    <Dialog
      title={title}
      description={description}
      onClose={leave}
      onSubmit={form.submit}
      submitKeys={quick}
      dirty={form.dirty}
      busy={form.busy}
      wide={wide}
      footer={
        <>
          <BusyHint form={form} />
          <CancelButton disabled={form.busy} />
          <Button type="submit" variant="primary" busy={form.busy}>
            {submitLabel ?? <Trans>Save</Trans>}
          </Button>
        </>
      }
    >
      <FormFailure form={form} />
      {form.draft && <LazyDraft form={form.draft} />}
      {children}
    </Dialog>
  )
}

function LazyDraft({ form }: { form: LongForm }) {
  const file = useLazy(draftFile)
  return file && <file.Draft form={form} />
}

/** What happens while a call is under way: how much has been sent, or that it is processed. */
export function BusyHint({ form }: { form: AnyForm }) {
  const { t } = useLingui()
  if (!form.busy) return <span className="grow" />
  const uploading = form.sent !== null && form.sent < 1
  return (
    <span className="grow muted" role="status">
      {uploading
        ? `${t`Uploading file...`} ${formatPercent(form.sent ?? 0)}`
        : (form.progress ?? t`The request is being processed...`)}
    </span>
  )
}

/** The general sentence of a refusal, brought into view when it comes. */
export function FormFailure({ form }: { form: AnyForm }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (form.problem) place.current?.scrollIntoView?.({ block: 'nearest' })
  }, [form.problem])
  if (!form.failure) return null
  const reference = form.problem?.request_id
  return (
    <div ref={place}>
      <Notice tone="bad" alert>
        {form.failure} {reference && <Trans>Reference {reference}.</Trans>}
      </Notice>
    </div>
  )
}
