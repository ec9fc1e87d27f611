import { sql } from 'kysely'
import type { Person } from './person.service.ts'
import { inOrder, maskedUnless, mayRead, rowsOf, type Trace, what } from './trace.ts'

/** Records of modules that name her, or refer to her or to a case about her (the key of a reference ends with what it leads to). */
export const recordsOf = ({ marks, student_ids, case_ids }: Person) =>
  sql`select r.id from module_records r where portal_search(r.data::text) ~ ${marks}
    union select k.record_id from module_record_fields f join module_record_keys k on k.field_id = f.id
      where f.name like '%>student' and k.number = any(${student_ids}::float8[])
        or f.name like '%>case' and k.number = any(${case_ids}::float8[])`

const sandboxRecordsOf = ({ marks }: Person) =>
  sql`select r.id from sandbox_records r where portal_search(r.data::text) ~ ${marks}`

/** Pictures `t` in those records. */
export const picturesOf = (p: Person) =>
  sql`(t.record_id in (${recordsOf(p)}) or t.sandbox_record_id in (${sandboxRecordsOf(p)}))`

/** SQL: the collection of a row that has a module, as `Sight` names it. */
export const placeOf = (table: string) =>
  sql`concat(${sql.ref(`${table}.module`)}, '/', ${sql.ref(`${table}.collection`)})`

/** Records `t` of modules. Of those that whoever exports may not read, the archive says only that they are there. */
export const recordTraces: Trace[] = [
  {
    // Before the records: a picture knows whose it is by its record.
    table: 'record_pictures',
    what: what.modules,
    read: rowsOf((p) => sql`record_pictures t where ${picturesOf(p)}`),
    // Whoever writes a record waits until the erasure has ended, and then finds that she is gone.
    erase: inOrder(
      () => sql`lock table module_records in share row exclusive mode`,
      (p) => sql`delete from record_pictures t where ${picturesOf(p)}`,
    ),
  },
  {
    table: 'module_records',
    what: what.modules,
    read: rowsOf(
      (p) => sql`module_records t where id in (${recordsOf(p)})`,
      (_, sight) => maskedUnless(mayRead(sight, placeOf('t')), 'data', 'words'),
    ),
    erase: inOrder((p) => sql`delete from module_records where id in (${recordsOf(p)})`),
  },
  {
    table: 'module_record_keys',
    what: what.modules,
    read: rowsOf(
      (p) =>
        sql`module_record_keys t join module_records r on r.id = t.record_id where t.record_id in (${recordsOf(p)})`,
      (_, sight) => maskedUnless(mayRead(sight, placeOf('r')), 'text', 'number'),
    ),
    erase: inOrder((p) => sql`delete from module_record_keys where record_id in (${recordsOf(p)})`),
  },
  {
    // Only its developer reads a sandbox, so that nobody's rights open it.
    table: 'sandbox_records',
    what: what.modules,
    read: rowsOf(
      (p) => sql`sandbox_records t where portal_search(t.data::text) ~ ${p.marks}`,
      (_, { records }) => maskedUnless(sql`${records === 'all'}`, 'data', 'words'),
    ),
    erase: inOrder((p) => sql`delete from sandbox_records where portal_search(data::text) ~ ${p.marks}`),
  },
]
