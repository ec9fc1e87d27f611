import {
  type Column,
  type ColumnKind,
  column,
  longestText,
  plainHeading,
  type Sheet,
} from './imports/sheet.ts'
import type { DeclaredCollection, DeclaredField } from './record-fields.ts'
import type { RecordType, Referenced } from './record-types.ts'
import type { Text } from './text.ts'

/** A field with its words, as manifests declare them. */
export type WordedField = Omit<DeclaredField, 'values'> & {
  label: Text
  values?: readonly { value: string; label?: Text | undefined }[] | undefined
}
/** A collection with its words. */
export type WordedCollection = Omit<DeclaredCollection, 'fields'> & {
  /** What a record is called. */
  label?: Text | undefined
  fields?: readonly WordedField[] | undefined
  /** Records can be imported from Excel: the page of the module that people go back to. */
  import?: string | undefined
}

/** The column with the number of a record. Fields have no point in their names. */
export const numberColumn = 'record.id'
/** The column with the version that a record had when it was exported. */
export const versionColumn = 'record.version'

/** Headings of an exported file besides the labels of the fields. */
export const recordHeadings = {
  number: { en: 'No.', fr: 'N°' },
  version: { en: 'Version', fr: 'Version' },
  by: { en: 'Recorded by', fr: 'Saisi par' },
  changed: { en: 'Last change', fr: 'Dernière modification' },
} satisfies Record<string, Text>

/** The heading of the name beside the code of a reference. */
export const nameHeading = ({ en, fr }: Text): Text => ({ en: `${en}: name`, fr: `${fr} : nom` })

/** A file has no pictures. */
type SheetType = Exclude<RecordType, 'picture'>

const kinds: Record<SheetType, ColumnKind> = {
  text: 'text',
  number: 'number',
  whole: 'whole',
  boolean: 'flag',
  day: 'date',
  reference: 'code',
}

const examples: Record<SheetType, Column['example']> = {
  text: ['A', 'B'],
  number: [2.5, 12],
  whole: [3, 12],
  boolean: ['yes', 'non'],
  day: ['2026-02-28', '2026-03-02'],
  reference: ['', ''],
}
const examplesOf: Record<Referenced, Column['example']> = {
  school: ['ML-KYG-0001', 'ML-SEG-0002'],
  student: ['KYG-1001', 'KYG-1002'],
  case: ['C-2026-0001', 'C-2026-0002'],
}

const helps: Record<SheetType, Text> = {
  text: { en: 'Text', fr: 'Texte' },
  number: { en: 'A number, also with decimals', fr: 'Un nombre, décimales admises' },
  whole: { en: 'A whole number', fr: 'Un nombre entier' },
  boolean: { en: 'Yes or no', fr: 'Oui ou non' },
  day: { en: 'A date, dd/mm/yyyy', fr: 'Une date, jj/mm/aaaa' },
  reference: { en: '', fr: '' },
}
const codes: Record<Referenced, Text> = {
  school: { en: 'The code of a school of the register', fr: 'Le code d’un établissement du registre' },
  student: { en: 'The code of a student of the register', fr: 'Le code d’un élève du registre' },
  case: { en: 'The number of a case', fr: 'Le numéro d’un dossier' },
}

/** The fields that a file can have: all with a type but pictures. */
export const importedFields = ({ fields = [] }: WordedCollection) =>
  fields.flatMap(({ type, ...field }) => (type && type !== 'picture' ? [{ ...field, type }] : []))
/** The fields whose pictures an import leaves as they are. */
export const picturesOf = ({ fields = [] }: WordedCollection) =>
  fields.filter(({ type }) => type === 'picture')
type ImportedField = ReturnType<typeof importedFields>[number]

/** The sheet of a collection's records: a column for each field, and the number and version of a record that was exported. */
export function recordSheet(module: string, collection: WordedCollection): Sheet {
  const { name, label = { en: name, fr: name } } = collection
  return {
    name: `${module.replace(/^mfe-/, '')}-${name}`,
    field: 'records_file',
    title: label,
    columns: {
      ...Object.fromEntries(importedFields(collection).map((field) => [field.name, columnOf(field)])),
      [numberColumn]: column({
        label: recordHeadings.number,
        kind: 'whole',
        max: Number.MAX_SAFE_INTEGER,
        example: ['', ''],
        help: withPictures(collection),
      }),
      [versionColumn]: column({
        label: recordHeadings.version,
        kind: 'whole',
        max: Number.MAX_SAFE_INTEGER,
        example: ['', ''],
        help: {
          en: 'Leave it as the exported file has it.',
          fr: 'Laissez-la telle que dans le fichier exporté.',
        },
      }),
    },
  }
}

const numberHelp: Text = {
  en: 'Leave it blank: the row is a new record. An exported file has it, and the record is changed.',
  fr: 'Laissez vide : la ligne est une nouvelle fiche. Un fichier exporté le porte, et la fiche est modifiée.',
}

/** Says besides that pictures stay: an exported file has a column for each, which is not read. */
function withPictures(collection: WordedCollection): Text {
  const pictures = picturesOf(collection)
  if (!pictures.length) return numberHelp
  const named = (locale: keyof Text) => pictures.map(({ label }) => label[locale]).join(', ')
  return {
    en: `${numberHelp.en} Pictures stay as they are and are added in the form: ${named('en')}.`,
    fr: `${numberHelp.fr} Les images restent telles quelles et s’ajoutent dans le formulaire : ${named('fr')}.`,
  }
}

function columnOf(field: ImportedField): Column {
  const { label, type, required = false, to, min, max, values } = field
  const made = column({
    ...{ label, required, kind: kinds[type] },
    example: to ? examplesOf[to] : min === undefined || max === undefined ? examples[type] : [min, max],
    help: to ? codes[to] : withBounds(field),
  })
  if (type === 'text') Object.assign(made, { longest: Math.min(max ?? 1000, longestText), lines: true })
  if (type === 'whole') {
    made.min = min ?? Number.MIN_SAFE_INTEGER
    made.max = max ?? Number.MAX_SAFE_INTEGER
  }
  if (type === 'number' && min !== undefined && max !== undefined) Object.assign(made, { min, max })
  if (!values || type !== 'text') return made
  const worded = values.map(({ value, label: word }) => [value, word ? [word.en, word.fr] : []] as const)
  const [first = '', second = first] = values.map(({ value }) => value)
  return {
    ...made,
    help: { en: 'One of the list', fr: 'Une valeur de la liste' },
    options: values.map(({ value }) => value),
    words: Object.fromEntries(worded),
    worded: true,
    example: [first, second],
  }
}

function withBounds({ type, min, max }: ImportedField): Text {
  const help = helps[type]
  if (min === undefined || max === undefined) return help
  return { en: `${help.en}, from ${min} to ${max}`, fr: `${help.fr}, de ${min} à ${max}` }
}

/** Headings that mean two things: an import cannot tell such columns apart. */
export function doubledHeadings(collection: WordedCollection): string[] {
  const named = new Map<string, string>()
  const doubled = new Set<string>()
  const take = (heading: string, of: string) => {
    const plain = plainHeading(heading)
    const other = named.get(plain)
    if (other !== undefined && other !== of) doubled.add(heading)
    named.set(plain, of)
  }
  for (const [of, { en, fr }] of Object.entries(recordHeadings))
    for (const each of [en, fr]) take(each, `.${of}`)
  // Those of pictures too: an exported file has a column for each, which is not to be read as another's.
  for (const { name, label, type } of [...importedFields(collection), ...picturesOf(collection)]) {
    for (const each of [name, label.en, label.fr]) take(each, name)
    const beside = nameHeading(label)
    if (type === 'reference') for (const each of [beside.en, beside.fr]) take(each, `${name}.name`)
  }
  return [...doubled]
}
