import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { bytea, createdAt, id, ref } from './columns.ts'

/** Every stored file; whoever refers to it says who may read it. `size` in bytes, `type` found from the content. */
export const files = pgTable(
  'files',
  {
    id: id(),
    key: text('key').notNull().unique('files_key_key'),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: bytea('sha256').notNull(),
    user_id: ref('user_id'),
    created_at: createdAt(),
  },
  (t) => [index('files_user_id_index').on(t.user_id)],
)
