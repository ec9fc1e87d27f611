import { type ClosedList, type Field, type Fields, isRequired } from '@portal/contracts/field'
import type { ReferenceList } from '@portal/contracts/imports/sheet'
import { flags } from '@portal/contracts/registers/closed-lists'
import type { RegisterOptions } from '@portal/contracts/registers/geography'
import { formatDate, formatPhone } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import type { Watched } from './Conflict.tsx'

/** The lists of the portal, as `geography.options` answers them. */
type Lists = Pick<RegisterOptions, `${ReferenceList}s`>

/**
 * What the contract says of a noun's fields, as screens need it, in the reader's language. It draws nothing: a screen
 * places its own inputs and facts. `lists` are needed where a field has codes of the portal's own lists.
 */
export function fieldWords<F extends Fields>(fields: F, lists?: Lists) {
  const locale = currentLocale()
  type Name = keyof F & string
  const of = (name: Name): Field => fields[name] as Field
  const label = (name: Name): string => of(name).label[locale]

  /** The values to choose from, with their words. */
  const choicesOf = (name: Name): { value: string; label: string }[] => {
    const { list, kind, closed } = of(name)
    if (list) return (lists?.[`${list}s`] ?? []).map(({ code, name }) => ({ value: code, label: name }))
    const words: ClosedList = kind === 'flag' ? flags : (closed ?? {})
    return Object.entries(words).map(([value, word]) => ({ value, label: word[locale] }))
  }

  /** A value as it is read; '' where there is none. */
  const text = (name: Name, value: unknown): string => {
    if (value === null || value === undefined || value === '') return ''
    const { kind } = of(name)
    if (kind === 'date') return formatDate(String(value))
    if (kind === 'phone') return formatPhone(String(value))
    return choicesOf(name).find((choice) => choice.value === String(value))?.label ?? String(value)
  }

  /** Name, label and whether a value must be there, for a field of a form. */
  const input = <N extends Name>(name: N) => ({ name, label: label(name), required: isRequired(of(name)) })
  /** The same of a text, which the database keeps in 255 characters. */
  const line = <N extends Name>(name: N) => ({ ...input(name), maxLength: 255 })
  /** The same of a choice. */
  const choice = <N extends Name>(name: N) => ({ ...input(name), options: choicesOf(name) })

  /** Every field as it is compared after a 409; `others` are those whose value only the screen can name. */
  const watched = (others: { [N in Name]?: (value: unknown) => string } = {}) =>
    Object.fromEntries(
      (Object.keys(fields) as Name[]).map((name) => [
        name,
        { label: label(name), text: others[name] ?? ((value: unknown) => text(name, value)) },
      ]),
    ) as Record<Name, NonNullable<Watched>>

  return { label, choicesOf, text, input, line, choice, watched }
}
