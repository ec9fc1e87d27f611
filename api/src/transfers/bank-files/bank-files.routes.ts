import { bankFiles } from '@portal/contracts/transfers/bank-files'
import type { StoredUpload } from '../../kit/files/files.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { uploadBankAnswer } from './bank-answers.service.ts'
import { listBankFiles, makeBankFile, readBankFile } from './bank-files.service.ts'

/** The calls on files of orders for banks. */
export function bankFileRoutes(app: App) {
  serve(app, bankFiles.list, ({ db, locale, params }) => listBankFiles(db, locale, params.groupId))
  serve(app, bankFiles.create, (call) => makeBankFile(call, call.actor, call.params.groupId, call.body))
  serve(app, bankFiles.answer, (call) =>
    uploadBankAnswer(call, call.actor, call.body.answer_file as StoredUpload),
  )
  serve(app, bankFiles.download, (call) => readBankFile(call, call.actor, call.params.id))
}
