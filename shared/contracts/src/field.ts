import * as v from 'valibot'
import type { Column, ColumnKind, ReferenceList } from './imports/sheet.ts'
import type { Text } from './sentences.ts'

/** A closed list: each value with its words, and what else people write for it in a file. */
export type ClosedList<Code extends string = string> = Record<Code, Text & { also: readonly string[] }>

/** The codes of a closed list, in its order. */
export const codesOf = <Code extends string>(list: ClosedList<Code>) => Object.keys(list) as Code[]

/** All that is understood for each code in a file, in either language. */
export const wordsOf = (list: ClosedList): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(list).map(([code, { en, fr, also }]) => [code, [en, fr, ...also]]))

/** The part of a column that its field does not determine. */
type SheetPart = Pick<Column, 'example' | 'help'> &
  Partial<Pick<Column, 'headings' | 'otherwise' | 'required' | 'key' | 'past' | 'max' | 'many'>> & {
    /** The heading of the column, if it must say more than the label: a label stands below a title, a heading alone. */
    label?: Text
  }

/**
 * One field of a row, declared once: dialogs, lists, details and print, what is shown after a 409, samples, imports, exports and
 * the audit log all read it here.
 */
export type Field = {
  label: Text
  /** What a form may send; null where no form changes it. */
  rule: v.GenericSchema | null
  /** What lists and details answer. */
  answer: v.GenericSchema
  kind: ColumnKind
  /** Which table has it: that of the row, that of the person whom the row is about, or that of another row that it names. */
  stored: 'own' | 'person' | 'other'
  /** Its column in the sheet; null if a sheet has other columns for it, or none. */
  column: SheetPart | null
  /** Its values, if the contract has them. */
  closed?: ClosedList
  /** The list of the portal that its codes are of. */
  list?: ReferenceList
  /** Absent for whoever may not see such data. */
  sensitive?: boolean
}
/** All fields of a noun. */
export type Fields<Name extends string = string> = Record<Name, Field>

/** The defaults of a field: a text in the table of the row, null if it is blank. */
const usual = { answer: v.nullable(v.string()), kind: 'text', stored: 'own' } as const
type Usual = typeof usual
type Given = Omit<Field, keyof Usual> & { stored?: Field['stored'] } & (
    | { kind?: Exclude<ColumnKind, 'whole' | 'flag'>; answer?: Field['answer'] }
    // Numbers and flags have no default answer, because some are never null.
    | { kind: 'whole' | 'flag'; answer: Field['answer'] }
  )

/** Declares a field and keeps the types of its rule and its answer. */
export const field = <const F extends Given>(given: F) => ({ ...usual, ...given }) as Omit<Usual, keyof F> & F

const pick = <Of, Part>(fields: Record<string, Of>, part: (field: Of) => Part | undefined) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) => {
      const found = part(one)
      return found === undefined ? [] : [[name, found]]
    }),
  )

/** The rules of all fields, for the body of the call that changes them. */
export const rulesOf = <F extends Fields>(fields: F) =>
  pick(fields, ({ rule }: Field) => rule ?? undefined) as { [Name in keyof F]: F[Name]['rule'] }

type OfRow<F extends Fields> = {
  [Name in keyof F as F[Name]['stored'] extends 'person' ? never : Name]: F[Name]['answer']
}

/** The answers of all that is not kept with the person; a sensitive one may be absent. */
export const answersOf = <F extends Fields>(fields: F) =>
  pick(fields, ({ stored, answer }: Field) => (stored === 'person' ? undefined : answer)) as OfRow<F>

/** The names of the fields of which this holds. */
export const namesOf = <F extends Fields>(fields: F, holds: (field: Field) => boolean) =>
  (Object.keys(fields) as (keyof F & string)[]).filter((name) => holds(fields[name] as Field))

/** A form must have it: what is left out is refused. */
export const isRequired = ({ rule }: Field): boolean => rule !== null && !v.is(rule, undefined)

type WithColumn<F extends Fields> = {
  [Name in keyof F & string as F[Name]['column'] extends null ? never : Name]: Column
}

/** The columns of a sheet. */
export const columnsOf = <F extends Fields>(fields: F) =>
  pick(fields, ({ label, kind, column, closed, list }: Field) => {
    if (!column) return undefined
    const made: Column = { label, headings: [], kind, required: false, ...column }
    if (list) made.list = list
    if (closed) {
      made.options = codesOf(closed)
      made.words = wordsOf(closed)
    }
    return made
  }) as WithColumn<F>
