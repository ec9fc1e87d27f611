import { statements } from '@portal/contracts/transfers/statements'
import { auditRead, auditSearch } from '../../kit/audit/reads.ts'
import { transaction } from '../../kit/database/db.ts'
import type { StoredUpload } from '../../kit/files/files.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { startExport } from '../../kit/jobs/exports.ts'
import { say } from './statement.messages.ts'
import { resolveFindings, signStatement } from './statement-decision.service.ts'
import { previewStatement, uploadStatement } from './statement-upload.service.ts'
import { readWithdrawal, withdrawStatement } from './statement-withdrawal.service.ts'
import { statementExport, statementFileName } from './statements.export.ts'
import { listFindings, listStatements, readStatementRow } from './statements.service.ts'

/** The calls on statements of agencies. */
export function statementRoutes(app: App) {
  const { fourEyes } = app.settings
  serve(app, statements.list, ({ db, locale, query }) => listStatements(db, locale, query))
  serve(app, statements.preview, ({ db, locale, body }) =>
    previewStatement(db, locale, { ...body, statement_file: body.statement_file as StoredUpload }),
  )
  serve(app, statements.create, (call) =>
    uploadStatement(call, call.actor, fourEyes, {
      ...call.body,
      statement_file: call.body.statement_file as StoredUpload,
    }),
  )
  serve(app, statements.read, async (call) => ({
    statement: await readStatementRow(call, fourEyes, call.params.id),
  }))
  serve(app, statements.findings, async ({ db, actor, locale, params, query }) => {
    const findings = await listFindings(db, locale, params.id, query)
    await auditRead(db, actor, 'opened', 'statement', params.id)
    await auditSearch(db, actor, 'statement', query.search, findings)
    return { findings }
  })
  serve(app, statements.resolve, ({ db, actor, params, body }) =>
    resolveFindings(db, actor, fourEyes, params.id, body),
  )
  serve(app, statements.sign, async ({ db, actor, params, body }) => {
    await signStatement(db, actor, fourEyes, params.id, body.version)
    return { message: say.signed }
  })
  serve(app, statements.withdrawal, ({ db, locale, params }) => readWithdrawal(db, locale, params.id))
  serve(app, statements.withdraw, async ({ db, actor, params, body }) => {
    await withdrawStatement(db, actor, params.id, body.reason)
    return { message: say.withdrawn }
  })
  serve(app, statements.export, ({ db, actor, locale, body: { statement_id: id, ...filters } }) =>
    transaction(db, async (tx) => {
      const name = await statementFileName(tx, id, filters.category)
      return startExport(tx, actor, locale, statementExport, { id, ...filters }, name)
    }),
  )
}
