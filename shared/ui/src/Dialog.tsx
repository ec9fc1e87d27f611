import { Trans, useLingui } from '@lingui/react/macro'
import * as Radix from '@radix-ui/react-dialog'
import {
  createContext,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from './Button.tsx'
import { isAbove, isBelow, useInertBelow } from './below.ts'
import { Notice } from './Notice.tsx'
import { useScrollsAlone } from './useScrollsAlone.ts'

type DialogProps = {
  /** A verb: what is done here. */
  title: ReactNode
  description?: ReactNode
  children: ReactNode
  /** Buttons, the confirming one last; a muted hint may stand first with class `grow`. */
  footer?: ReactNode
  onClose: () => void
  /** Makes body and footer one form; Ctrl or ⌘ with Enter sends it unless `submitKeys` is false (money, deletion). */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => unknown
  submitKeys?: boolean
  /** There are unsaved changes: leaving asks first. */
  dirty?: boolean
  /** Something is being sent: the dialog stays until it is answered. */
  busy?: boolean
  wide?: boolean
}

const firstField =
  '.dialog-body :is(input, select, textarea):not([disabled], [type="hidden"], [tabindex="-1"])'

function focusFirst(box: HTMLElement | null) {
  const wanted = box?.querySelector<HTMLElement>('[data-autofocus]')
  const first = wanted ?? box?.querySelector<HTMLElement>(firstField)
  ;(first ?? box)?.focus()
}

/** Gives the focus back to what had it before the dialog. */
function focusAgain(opener: HTMLElement | null) {
  if (opener?.isConnected) opener.focus()
  // A row that was deleted takes its button along, and not every browser gives a clicked button the focus.
  if (document.activeElement === document.body)
    document.getElementById('page')?.focus({ preventScroll: true })
}

function sendByKeys(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** Whether the key is for a list of choices, which closes before its dialog does. */
const isListOpen = (target: EventTarget | null) =>
  target instanceof Element && target.matches('[role=combobox][data-open]')

/** How the dialog around a button is left: by Escape, its cross and Cancel alike. */
const LeaveContext = createContext<() => void>(() => {})

/** A dialog whose body alone scrolls; a full-height sheet on phones. Drawn while it is open. */
export function Dialog(props: DialogProps) {
  const {
    title,
    description,
    children,
    footer,
    onClose,
    onSubmit,
    submitKeys = true,
    dirty,
    busy,
    wide,
  } = props
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const [body, scrollsAlone] = useScrollsAlone()
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  useInertBelow()
  const leave = () => {
    if (busy) return
    if (dirty) setAsking(true)
    else onClose()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes submits through portals: a dialog inside this one must not send this form.
    event.stopPropagation()
    if (!busy) void onSubmit?.(event)
  }
  const inner = (
    <>
      <div ref={body} className="dialog-body" {...(scrollsAlone && { tabIndex: 0 })}>
        {children}
      </div>
      {asking && <Leave onStay={() => setAsking(false)} onLeave={onClose} />}
      {footer && (
        <LeaveContext value={leave}>
          <footer>{footer}</footer>
        </LeaveContext>
      )}
    </>
  )
  return (
    <Radix.Root open onOpenChange={(open) => open || leave()}>
      <Radix.Portal>
        {/* The library's own overlay puts style elements into the page, which the policy forbids. */}
        <div className="scrim">
          <Radix.Content
            ref={box}
            className={wide ? 'dialog wide' : 'dialog'}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              focusFirst(box.current)
            }}
            onCloseAutoFocus={(event) => {
              // The library would return the focus to its own trigger, which does not exist here.
              event.preventDefault()
              focusAgain(opener)
            }}
            onInteractOutside={(event) => {
              // Messages and other dialogs above this one can be used while it is open.
              if (isAbove(event.target, box.current)) event.preventDefault()
            }}
            onEscapeKeyDown={(event) => {
              if (isBelow(box.current) || isListOpen(event.target)) event.preventDefault()
              // The library's copy in a dialog below has already handled the key and stopped its propagation.
              else if (event.defaultPrevented) leave()
            }}
          >
            <header>
              <div>
                <Radix.Title>{title}</Radix.Title>
                {description && (
                  <Radix.Description asChild>
                    <div className="muted">{description}</div>
                  </Radix.Description>
                )}
              </div>
              <IconButton icon="x" label={t`Close`} onClick={leave} disabled={busy} />
            </header>
            {onSubmit ? (
              <form
                className="dialog-form"
                noValidate
                onSubmit={submit}
                onKeyDown={submitKeys ? sendByKeys : undefined}
              >
                {inner}
              </form>
            ) : (
              inner
            )}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

type CancelProps = { disabled?: boolean; 'data-autofocus'?: boolean }

/** Leaves the dialog in whose footer it stands; like Escape, it asks first where something was typed. */
export function CancelButton(props: CancelProps) {
  const leave = useContext(LeaveContext)
  return (
    <Button {...props} onClick={leave}>
      <Trans>Cancel</Trans>
    </Button>
  )
}

function Leave({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <div className="leave">
      <Notice
        alert
        tone="waiting"
        title={<Trans>You have changes that are not saved.</Trans>}
        actions={
          <>
            <Button small ref={stay} onClick={onStay}>
              <Trans>Stay</Trans>
            </Button>
            <Button small variant="danger" onClick={onLeave}>
              <Trans>Leave</Trans>
            </Button>
          </>
        }
      >
        <Trans>Leave and lose them?</Trans>
      </Notice>
    </div>
  )
}

/** One line of control totals; `sum` is the one large figure. */
export type Total = { key: string; label: ReactNode; value: ReactNode; sum?: boolean }

/** Control totals in the order of the file, as the approval shows them. */
export function Totals({ label, rows }: { label: string; rows: Total[] }) {
  return (
    <dl className="totals" aria-label={label}>
      {rows.map((row) => (
        <div key={row.key} className={row.sum ? 'sum' : undefined}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
