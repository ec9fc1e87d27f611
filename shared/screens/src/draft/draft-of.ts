import type { Client } from '@portal/client/client'
import { type DraftContent, drafts, mayKeep } from '@portal/contracts/drafts'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { same } from '../same.ts'

type Values = DraftContent['values']

/** A long form: the name under which it is kept, its fields, and which of them are sent. */
export type LongForm = {
  form: string
  names: readonly string[]
  fields: UseFormReturn<FieldValues>
  /** True once it was sent, or the person agreed to lose what she typed. */
  ended: { current: boolean }
}

/** What may be kept of a form's values: no secrets, no files. */
const keepable = (values: FieldValues): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => mayKeep(name, value)))

const openedWith = ({ fields }: Pick<LongForm, 'fields'>): FieldValues => fields.formState.defaultValues ?? {}

/** What differs from what the form was opened with. */
function typedIn({ fields, names }: LongForm): FieldValues {
  const now = fields.getValues()
  const opened = openedWith({ fields })
  return Object.fromEntries(
    names.filter((name) => !same(now[name], opened[name])).map((name) => [name, now[name]]),
  )
}

/** What is kept of a form at this moment. */
export function contentOf(long: LongForm): DraftContent {
  const opened = openedWith(long)
  const sent = Object.fromEntries(long.names.map((name) => [name, opened[name]]))
  return { values: keepable(typedIn(long)), opened: keepable(sent) }
}

/** Makes the form again what it was. What is typed in it already stays. */
export function putBack(long: LongForm, { values, opened }: DraftContent) {
  const typed = typedIn(long)
  long.fields.reset({ ...openedWith(long), ...opened })
  for (const [name, value] of Object.entries({ ...values, ...typed }))
    long.fields.setValue(name, value, { shouldDirty: true })
}

/** The calls for one form's draft, one after the other: a late answer never undoes a later word. */
export function draftCalls(client: Client, form: string) {
  let last: Promise<unknown> = Promise.resolve()
  // Most forms are closed as they were opened: nothing is deleted then.
  let kept = false
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  return {
    read: () =>
      next(async () => {
        const { draft } = await client.call(drafts.read, { query: { form }, quiet: true })
        kept = Boolean(draft)
        return draft
      }),
    keep: (content: DraftContent) =>
      next(async () => {
        kept = true
        await client.call(drafts.keep, { body: { form, ...content }, quiet: true })
      }),
    drop: () =>
      next(async () => {
        if (!kept) return
        await client.call(drafts.drop, { query: { form }, quiet: true })
        kept = false
      }),
  }
}
