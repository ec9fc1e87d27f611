/** Reads a chosen workbook beside the page, so that the page stays quick whatever the file is. */

import type { Country } from '@portal/contracts/fields'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { inspectSource } from '@portal/excel/inspect'
import { WorkbookProblem } from '@portal/excel/limits'
import { openXlsx } from '@portal/excel/xlsx'
import { chosenFile, unpackFrom } from './chosen-file.ts'
import { type Survey, surveyWorkbook } from './survey.ts'

/** What the worker is told, once. */
export type ToWorker = { file: File; sheet: Sheet; country?: Country | undefined }
/** What it answers: how far it is, then what it found or why the file is refused. */
export type FromWorker = { rows: number } | { survey: Survey } | { problem: string }

const send = (message: FromWorker) => self.postMessage(message)

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  try {
    send({ survey: await survey(data) })
  } catch (fault) {
    send({ problem: fault instanceof WorkbookProblem ? fault.problem : 'workbook_unreadable' })
  }
}

async function survey({ file, sheet, country }: ToWorker): Promise<Survey> {
  const source = chosenFile(file)
  const inspected = await inspectSource(source)
  let reportedAt = 0
  const tell = (rows: number) => {
    if (Date.now() - reportedAt < 200) return
    reportedAt = Date.now()
    send({ rows })
  }
  if (inspected.kind === 'xlsx')
    return surveyWorkbook(await openXlsx(source, inspected.entries, unpackFrom(file)), sheet, tell, country)
  // Fetched only when somebody chooses such a file.
  const { openXls } = await import('@portal/excel/xls')
  return surveyWorkbook(openXls(await source.read(0, source.size)), sheet, tell, country)
}
