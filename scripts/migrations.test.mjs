import { expect, test } from 'vitest'
import { faultsOfMigration } from './lib/migrations.mjs'

/** @param {string} text */
const rules = (text) =>
  faultsOfMigration('0100_next.sql', text).map((fault) => fault.match(/\(([\w-]+)\)$/)?.[1])

test.each([
  ['drops a column', 'alter table students drop column nickname;', 'ban-drop-column'],
  ['renames a column', 'alter table students rename column nickname to called;', 'renaming-column'],
  ['renames a table', 'alter table students rename to girls;', 'renaming-table'],
  ['drops a table', 'drop table students;', 'ban-drop-table'],
  [
    'adds a column that the release before does not fill',
    'alter table students add column size integer not null;',
    'adding-required-field',
  ],
  [
    'no longer lets a column be empty',
    'alter table students alter column nickname set not null;',
    'adding-not-nullable-field',
  ],
  [
    'writes a large table anew',
    'alter table students alter column size type bigint;',
    'changing-column-type',
  ],
  [
    'blocks writes while it builds an index',
    'create index students_size on students (size);',
    'require-concurrent-index-creation',
  ],
  [
    'blocks writes while it checks all rows',
    'alter table students add constraint students_size check (size > 0);',
    'constraint-missing-not-valid',
  ],
  [
    'cannot run in its transaction',
    'create table sizes (id bigint);\ncreate index concurrently if not exists students_size on students (size);',
    'ban-concurrent-index-creation-in-transaction',
  ],
])('a migration is refused that %s', (_what, text, rule) => expect(rules(text)).toEqual([rule]))

test.each([
  ['a column with a default', "alter table students add column size text not null default 'm';"],
  [
    'a table with its index',
    'create table sizes (id bigint primary key, n int);\ncreate index sizes_n on sizes (n);',
  ],
  [
    'an index that is built beside the work',
    '-- outside of a transaction\ndrop index concurrently if exists students_size;\ncreate index concurrently if not exists students_size on students (size);',
  ],
  [
    'an exception with its reason',
    '-- No release reads it since 1.3.\n-- squawk-ignore ban-drop-column\nalter table students drop column nickname;',
  ],
])('a migration may have %s', (_what, text) => expect(faultsOfMigration('0100_next.sql', text)).toEqual([]))

test('an exception without its reason is refused, with its line', () => {
  const text = '\n-- squawk-ignore ban-drop-column\nalter table students drop column nickname;'
  expect(faultsOfMigration('0100_next.sql', text)).toEqual([
    '0100_next.sql:2: the line before an exception says why the release before is not disturbed.',
  ])
})
