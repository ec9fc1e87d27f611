import type { DeclaredField } from '@portal/contracts/record-fields'
import { filtersOf, isQuantity, listParameters, longestKey } from '@portal/contracts/record-lists'
import { mostPictures } from '@portal/contracts/record-pictures'
import { doubledHeadings, picturesOf, type WordedCollection } from '@portal/contracts/record-sheet'
import { recordTypes, referenced } from '@portal/contracts/record-types'
import * as v from 'valibot'
import { boundsFit, boundsRule } from './manifest-bounds.ts'
import { hasEveryChange, SchemaChange } from './manifest-record-changes.ts'
import { Allowed, Label } from './manifest-search.ts'

/**
 * A field of a collection's records. `label` is its name in the audit log and in refusals; `values` are those of a closed
 * list. With a `type`, the server checks every record that is saved. `sort`, `filter` and `search` say what lists can be asked.
 */
export const RecordField = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,59}$/, 'A field is named as it is in the records.')),
    label: Label,
    values: v.optional(v.array(v.strictObject({ value: v.string(), label: Label }))),
    type: v.optional(v.picklist(recordTypes)),
    /** Of a reference: whose id it is. */
    to: v.optional(v.picklist(referenced)),
    required: v.optional(v.boolean()),
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    sort: v.optional(v.boolean()),
    filter: v.optional(v.boolean()),
    search: v.optional(v.boolean()),
  }),
  v.check((field) => boundsFit(field), boundsRule('field')),
  v.check(
    ({ type, to, sort, search }) =>
      (type === 'reference') === (to !== undefined) && !(to && (sort || search)),
    'A field of type reference names what it leads to, "to": "school", "student" or "case". It can be filtered by, and neither sorted nor searched.',
  ),
  v.check(
    ({ type, sort, filter, search, min, max, values }) =>
      type !== 'picture' ||
      (![sort, filter, search].some(Boolean) && [min, max, values].every((each) => each === undefined)),
    'A field of type picture has a name, a label and perhaps required: lists are neither searched, sorted nor filtered by pictures.',
  ),
  v.check(
    (field) => !(field.sort || field.filter) || isShort(field),
    `A field with sort or filter has a type; one of type text also has values, or a max of at most ${longestKey}.`,
  ),
)

/** Whether an index can hold every value of the field. */
const isShort = ({ type, values, max = Number.POSITIVE_INFINITY }: DeclaredField) =>
  type !== undefined && type !== 'picture' && (type !== 'text' || values !== undefined || max <= longestKey)

const TotalName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A total is named in small letters, by-outcome.'),
)

const Total = v.strictObject({ name: TotalName, sum: v.optional(v.string()), by: v.optional(v.string()) })

/** Records that the portal keeps for a module (`/modules/<name>/records/<collection>`), and who may read and write them. */
export const Collection = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A collection is named in small letters.')),
    read: Allowed,
    write: Allowed,
    /** What a record is called, and its fields: words of the audit log. */
    label: v.optional(Label),
    fields: v.optional(v.array(RecordField)),
    /** Its records can be imported from Excel: the page of the module that has their list, to which people go back. */
    import: v.optional(
      v.pipe(v.string(), v.regex(/^\/[\w/-]+$/, 'import is the address of a page, /admin/clinics.')),
    ),
    /** The version of the fields, and how records of each version before are read. */
    version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    changes: v.optional(v.pipe(v.array(SchemaChange), v.maxLength(60))),
    /** Sums of its list: `sum` adds up a number, `by` tells the values of a field apart; without both, it counts. */
    totals: v.optional(
      v.pipe(
        v.array(Total),
        v.maxLength(20, 'A collection has at most twenty totals.'),
        v.check((all) => new Set(all.map(({ name }) => name)).size === all.length, 'A total is named once.'),
      ),
    ),
  }),
  v.check(
    ({ version, changes }) => hasEveryChange(version, changes),
    'A collection of version 3 has changes to 2 and to 3, in this order: records keep the version that they were saved with.',
  ),
  v.check(
    ({ fields = [], totals = [] }) =>
      totals.every(({ sum, by }) => {
        const [added, grouped] = [sum, by].map((name) => fields.find((field) => field.name === name))
        return (!sum || isQuantity(added?.type)) && (!by || (grouped !== undefined && isShort(grouped)))
      }),
    `The sum of a total is a field of type number or whole; by is a field with a type that is not picture and, if it is text, has values or a max of at most ${longestKey}.`,
  ),
  v.check(
    ({ import: page, fields = [] }) => !page || (fields.length > 0 && fields.every(({ type }) => type)),
    'A collection with import has fields, and all of them have a type.',
  ),
  v.check(
    (collection) => picturesOf(collection as WordedCollection).length <= mostPictures,
    `A collection has at most ${mostPictures} fields of type picture: each record may have one of each.`,
  ),
  v.check(
    (collection) =>
      !collection.import || picturesOf(collection as WordedCollection).every(({ required }) => !required),
    'A collection with import requires no picture: a row of a file has none.',
  ),
  v.check(
    (collection) => !collection.import || doubledHeadings(collection).length === 0,
    ({ input }) =>
      `The headings of an Excel file tell the fields of a collection with import apart, but these mean two things: ${doubledHeadings(input as WordedCollection).join(', ')}.`,
  ),
  v.check(
    ({ fields = [] }) => {
      const parameters = [...listParameters, ...fields.flatMap(filtersOf)]
      return new Set(parameters).size === parameters.length
    },
    `Filters need names of their own: a field with filter is not called ${listParameters.join(', ')}, and a day also takes name_from and name_to.`,
  ),
)
