import { Trans, useLingui } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { Notice } from '@portal/ui/Notice'
import { useEffect, useState } from 'react'
import type { DefaultValues, FieldPath } from 'react-hook-form'
import { FormFailure } from './FormDialog.tsx'
import { same } from './same.ts'
import type { AnyForm, EndpointForm, ValuesOf } from './useEndpointForm.tsx'

/** A row as a form has it, with the version it was read with. */
export type Stored = Record<string, unknown> & { version: number }

/** One field as the dialog calls it, and how its value reads; null where this dialog does not edit it. */
export type Watched = { label: string; text?: (value: unknown) => string } | null

/** Every field of the call's body: a dialog that forgets one does not compile. */
export type WatchedFields<E extends Endpoint> = Record<Exclude<keyof ValuesOf<E>, 'version'>, Watched>

type Props<E extends Endpoint> = {
  form: EndpointForm<E>
  /** Reads the row as it is stored now, in the form's fields. */
  read: () => Promise<Stored>
  fields: WatchedFields<E>
}

/** A form without the sentence of a 409: the form itself shows what has changed. */
export const withoutConflict = <Form extends AnyForm>(form: Form): Form =>
  form.problem?.status === 409 ? { ...form, failure: null, problem: null } : form

/**
 * Somebody else saved the row meanwhile: shows what they changed, keeps what was typed, and lets the person take
 * theirs or save hers over it.
 */
export function Conflict<E extends Endpoint>({ form, read, fields }: Props<E>) {
  const { t } = useLingui()
  const [now, setNow] = useState<Stored | 'unread' | null>(null)
  const refused = form.problem?.status === 409
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal asks once
  useEffect(() => {
    if (!refused) return setNow(null)
    let open = true
    read().then(
      (stored) => open && setNow(stored),
      () => open && setNow('unread'),
    )
    return () => {
      open = false
    }
  }, [form.problem])
  if (!refused || !now) return null
  // Without an answer the sentence of the refusal stands alone, and another try asks again.
  if (now === 'unread') return <FormFailure form={form} />
  // What was kept of a form brings along what it was opened with then.
  const before = form.fields.formState.defaultValues as Record<string, unknown>
  const mine = form.fields.getValues() as Record<string, unknown>
  const watched = Object.entries<Watched>(fields).flatMap(([name, field]) =>
    field ? { name, ...field } : [],
  )
  const theirs = watched.filter(({ name }) => !same(now[name], before[name]))
  const typed = ({ name }: { name: string }) =>
    !same(mine[name], before[name]) && !same(mine[name], now[name])
  const shown = ({ text }: NonNullable<Watched>, value: unknown) =>
    (text ? text(value) : String(value ?? '')) || t`empty`
  const set = (name: string, value: unknown) =>
    form.fields.setValue(name as FieldPath<ValuesOf<E>>, value as never, { shouldDirty: true })
  const take = () => {
    form.fields.reset({ ...before, ...now } as unknown as DefaultValues<ValuesOf<E>>)
    setNow(null)
  }
  const keep = () => {
    // Where nothing was typed, what they saved is kept.
    for (const field of theirs) if (!typed(field)) set(field.name, now[field.name])
    set('version', now.version)
    form.submit()
  }
  return (
    <Notice
      tone="waiting"
      alert
      title={<Trans>Somebody else has saved this meanwhile.</Trans>}
      actions={
        <>
          <Button small onClick={take}>
            <Trans>Take theirs</Trans>
          </Button>
          <Button small onClick={keep} busy={form.busy}>
            <Trans>Save mine over it</Trans>
          </Button>
        </>
      }
    >
      <Trans>What you typed is kept.</Trans>
      <ul className="changes">
        {theirs.map((field) => (
          <li key={field.name}>
            <span className="muted">{field.label}</span> <del>{shown(field, before[field.name])}</del>
            <Icon name="arrow" size={14} />
            <ins>{shown(field, now[field.name])}</ins>
            {typed(field) && <span>{t`(yours: ${shown(field, mine[field.name])})`}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
