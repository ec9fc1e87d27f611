import type { Locale, Text } from '@portal/contracts/sentences'
import { arrearAges } from '@portal/contracts/transfers/arrears'
import { failureReason } from '@portal/contracts/transfers/failure-reasons'
import { arrearAgeWords } from '@portal/contracts/transfers/transfer-words'
import { type OutCell, type OutColumn, writeWorkbook } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { stateWords } from './arrears.messages.ts'
import { countArrears, type ExportedArrears, readArrears } from './arrears.service.ts'
import type { ArrearsFilters } from './arrears-choice.service.ts'

export const arrearsExport = 'arrears'

type Column = Omit<OutColumn, 'header'> & {
  label: Text
  value: (girl: ExportedArrears, locale: Locale) => OutCell
}

const inFrancs = ({ en, fr }: Text): Text => ({ en: `${en} (XOF)`, fr: `${fr} (F CFA)` })

/** The amounts of the four ages are together the amount. */
const columns: Column[] = [
  {
    key: 'last_name',
    kind: 'text',
    label: { en: 'Last name', fr: 'Nom' },
    value: ({ last_name }) => last_name,
  },
  {
    key: 'first_name',
    kind: 'text',
    label: { en: 'First name', fr: 'Prénom' },
    value: ({ first_name }) => first_name,
  },
  {
    key: 'student_code',
    kind: 'text',
    label: { en: 'Student code', fr: 'Code élève' },
    value: ({ student_code }) => student_code,
  },
  {
    key: 'school',
    kind: 'text',
    label: { en: 'School', fr: 'Établissement' },
    value: ({ school_name }) => school_name,
  },
  { key: 'cap', kind: 'text', label: { en: 'CAP', fr: 'CAP' }, value: ({ cap_name }) => cap_name },
  {
    key: 'payments',
    kind: 'whole',
    label: { en: 'Payments', fr: 'Paiements' },
    value: ({ payments }) => payments,
  },
  {
    key: 'amount',
    kind: 'money',
    label: inFrancs({ en: 'Arrears', fr: 'Arriérés' }),
    value: ({ amount }) => amount,
  },
  ...arrearAges.map(
    (age): Column => ({
      key: age,
      kind: 'money',
      label: inFrancs(arrearAgeWords[age]),
      value: ({ by_age }) => by_age[age],
    }),
  ),
  { key: 'since', kind: 'date', label: { en: 'Since', fr: 'Depuis' }, value: ({ since }) => since },
  { key: 'days', kind: 'whole', label: { en: 'Days', fr: 'Jours' }, value: ({ days }) => Math.max(days, 0) },
  {
    key: 'reasons',
    kind: 'text',
    width: 60,
    label: { en: 'Reasons', fr: 'Motifs' },
    value: ({ causes }, locale) => [...new Set(causes.map((cause) => causeText(cause, locale)))].join(' '),
  },
]

function causeText({ state, reason }: ExportedArrears['causes'][number], locale: Locale): string {
  const words = stateWords[state]?.[locale]
  return [reason && failureReason(reason, locale), words && `(${words})`].filter(Boolean).join(' ')
}

/** Registers the export of the arrears: one row per girl that search and filters leave. */
export function registerArrearsExport() {
  registerExport<ArrearsFilters>(arrearsExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: 'arrears', id: null, filters }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const total = await countArrears(db, params)
      let done = 0
      async function* lines() {
        for await (const girl of readArrears(db, params)) {
          yield columns.map(({ value }) => value(girl, locale))
          done += 1
        }
      }
      await writeWorkbook(path, {
        name: { en: 'Arrears', fr: 'Arriérés' }[locale],
        columns: columns.map(({ label, value: _, ...column }) => ({ ...column, header: label[locale] })),
        rows: lines(),
        onProgress: (rows) => progress(rows, total),
      })
      return { rows: done, columns: columns.map(({ label }) => label) }
    },
  })
}
