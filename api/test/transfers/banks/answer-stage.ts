import { afterAll } from 'vitest'
import { startStage } from '../../cohorts.ts'
import { mortalWorkers } from '../../workers.ts'
import { addBank, type SentFile, sentFile, startBank } from './bank.ts'

/** A portal with a bank that answers to files, and the steps of whoever uploads its answers. */
export async function startAnswers() {
  const stage = await startStage(300)
  const { portal, officer, progress } = stage
  mortalWorkers(portal.settings).start()
  const bank = await startBank()
  afterAll(() => bank.close())
  const agency = await addBank(portal)
  return {
    ...stage,
    bank,
    agency,
    sent: (name: string, numbers: number[]) => sentFile(stage, agency, name, numbers),
    answerWith: (file: File, who: Pick<typeof officer, 'upload'> = officer) =>
      who.upload('/admin/transfers/bank-answers', { answer_file: file }),
    answersOf: async ({ round }: SentFile) =>
      (await officer.get(`/admin/transfers/cohorts/payroll/${round}/bank-files`)).body.bank_files[0].answers,
    now: async ({ cohort: id }: SentFile) => (await progress(id, () => true)).round,
  }
}
