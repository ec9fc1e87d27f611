import type { Context } from './context.ts'
import type { Actor } from './session.ts'

/** Throws if this person may not have a file with these parameters now. */
type Check<Params> = (
  context: Pick<Context, 'db' | 'registry'>,
  actor: Actor,
  params: Params,
) => Promise<void>

const checks = new Map<string, Check<never>>()

/**
 * Registers what a kind of export asks of the database or the registry at every download, besides the permissions that `allowed`
 * asks for.
 */
export function registerExportCheck<Params>(kind: string, check: Check<Params>) {
  checks.set(kind, check as Check<never>)
}

/** Asks it about a file of this person. Whether there is a file is for `readExport` to say. */
export async function checkExport(context: Pick<Context, 'db' | 'registry'>, actor: Actor, fileName: string) {
  const row = await context.db
    .selectFrom('exports')
    .select(['kind', 'params'])
    .where('file_name', '=', fileName)
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  if (row) await checks.get(row.kind)?.(context, actor, row.params as never)
}
