import { endpoint } from '@portal/contracts/endpoint'
import { done, name, page, whole } from '@portal/contracts/fields'
import { NumberField } from '@portal/ui/NumberField'
import { TextField } from '@portal/ui/TextField'
import { act } from 'react'
import * as v from 'valibot'
import { vi } from 'vitest'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { FormDialog } from './FormDialog.tsx'
import type { Answers } from './test-host.tsx'
import { useEndpointForm } from './useEndpointForm.tsx'
import { useList } from './useList.tsx'

const list = endpoint({
  method: 'GET',
  path: '/schools',
  access: 'schools.view',
  answer: v.object({ schools: page(v.object({ id: v.number(), name: v.string() })) }),
})
export const rename = endpoint({
  method: 'PUT',
  path: '/schools/:id',
  access: 'schools.update',
  body: v.object({ name, classes: whole(1, 20) }),
  answer: done,
})

/** A dialog that edits a school and reads the list of schools again. */
export function Edit({ onClose }: { onClose: () => void }) {
  const schools = useList(list, 'schools')
  const form = useEndpointForm(rename, {
    params: { id: 7 },
    defaults: { name: 'Coura', classes: 6, id: 7, created_at: 'read only' },
    refetches: [list],
    onDone: onClose,
  })
  return (
    <>
      {schools.items.length}
      <FormDialog title="Edit school" form={form} onClose={onClose}>
        <TextField control={form.control} name="name" label="School name" />
        <NumberField control={form.control} name="classes" label="Classes" />
      </FormDialog>
    </>
  )
}

const add = endpoint({
  method: 'POST',
  path: '/schools',
  access: 'schools.update',
  body: v.object({ name }),
  answer: done,
})

/** A form that stays where it is after it was saved. */
export function Add() {
  const form = useEndpointForm(add, { defaults: { name: '' }, refetches: [] })
  return (
    <FormDialog title="Add school" form={form} onClose={() => undefined}>
      <TextField control={form.control} name="name" label="School name" />
    </FormDialog>
  )
}

const correct = endpoint({
  method: 'PUT',
  path: '/records/:id',
  access: 'schools.update',
  body: v.object({ data: v.object({ title: name, kind: name }) }),
  answer: done,
})

/** A record of a module: its fields are those of `data`. */
export function Correct() {
  const defaults = { data: { title: 'Well', kind: 'pump' } }
  const form = useEndpointForm(correct, { params: { id: 7 }, defaults, refetches: [] })
  return (
    <FormDialog title="Correct" form={form} onClose={() => undefined}>
      <TextField control={form.control} name="data.title" label="Title" />
      <TextField control={form.control} name="data.kind" label="Kind" />
    </FormDialog>
  )
}

/** A question with a comment. */
export function Refuse({ onClose, barred }: { onClose: () => void; barred?: string | undefined }) {
  const form = useEndpointForm(rename, { params: { id: 7 }, defaults: {}, refetches: [] })
  return (
    <ConfirmDialog
      title="Refuse the list"
      form={form}
      onClose={onClose}
      confirmLabel="Refuse"
      barred={barred}
    >
      <TextField control={form.control} name="name" label="Reason" />
    </ConfirmDialog>
  )
}

/** Sends the classes along; with `asks` it draws them once they were refused. */
export function Close({ asks }: { asks?: boolean }) {
  const defaults = { name: 'Coura', classes: 6 }
  const form = useEndpointForm(rename, { params: { id: 7 }, defaults, refetches: [] })
  return (
    <FormDialog title="Close" form={form} onClose={() => undefined}>
      <TextField control={form.control} name="name" label="Name again" />
      {asks && form.fields.formState.errors.classes && (
        <NumberField control={form.control} name="classes" label="Classes" />
      )}
    </FormDialog>
  )
}

/** The dialog is drawn before the answer that says whether the act is possible. */
export function RefuseLater() {
  const schools = useList(list, 'schools')
  return <Refuse onClose={() => undefined} barred={schools.page ? undefined : 'It is being looked up.'} />
}

export const empty = { schools: { data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 } }
/** A server that gives this answer to changes. */
export const serving =
  (answer: ReturnType<Answers>): Answers =>
  (call) =>
    call.method === 'PUT' ? answer : { body: empty }

/** The field with this label. */
export const field = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label))?.htmlFor ??
      '',
  ) as HTMLInputElement
export const errorAt = (label: string) =>
  field(label).closest('.field')?.querySelector('.error-text')?.textContent
export const alert = () => document.querySelector('[role="alert"]')?.textContent?.trim()
export const settle = (ms = 0) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
export const save = async () => {
  await act(async () => document.querySelector('form')?.requestSubmit())
  await settle()
}
