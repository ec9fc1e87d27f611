/** What a field of a module's record may hold. */
export const recordTypes = ['text', 'number', 'whole', 'boolean', 'day', 'reference', 'picture'] as const
export type RecordType = (typeof recordTypes)[number]
/** The types that a change can make of each other: a picture is made of nothing else, and becomes nothing else. */
export const convertible = recordTypes.filter((type) => type !== 'picture')

/** What a record may refer to, by the id of the thing. */
export const referenced = ['school', 'student', 'case'] as const
export type Referenced = (typeof referenced)[number]

/** Another type of a field. What cannot be read as the new type, or is not as the field is declared now, becomes `else`. */
export type Conversion = { from?: RecordType | undefined; to: RecordType; else?: unknown }

/** What a version of a schema changes: how a record of the version before is read. Names of fields are new ones, but in `rename` and `drop`. */
export type SchemaChange = {
  to: number
  /** Fields that are no longer there. */
  drop?: readonly string[] | undefined
  /** The old name, and the new one. */
  rename?: Readonly<Record<string, string>> | undefined
  /** Values of a closed list: the old one, and the new one. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  convert?: Readonly<Record<string, Conversion>> | undefined
  /** What a record has that has no value there. */
  default?: Readonly<Record<string, unknown>> | undefined
  /** Fields whose old values stay as they are, though a new record could not have them. */
  keep?: readonly string[] | undefined
}
