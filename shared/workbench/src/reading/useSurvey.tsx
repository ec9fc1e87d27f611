import type { Country } from '@portal/contracts/fields'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { useEffect, useState } from 'react'
import type { FromWorker, ToWorker } from './reader.worker.ts'
import type { Survey } from './survey.ts'

/** How far the reading of a chosen file is. */
export type Surveying = { rows: number; survey: Survey | null; problem: string | null }

const begun: Surveying = { rows: 0, survey: null, problem: null }

/** Reads a chosen file in a worker of the same origin; null while none is chosen. */
export function useSurvey(file: File | null, sheet: Sheet, country?: Country): Surveying | null {
  const [state, setState] = useState<{ file: File; read: Surveying } | null>(null)
  useEffect(() => {
    if (!file) return
    const worker = new Worker(new URL('./reader.worker.ts', import.meta.url))
    const set = (read: Surveying) => setState({ file, read })
    // If the same file is read again with other headings, the page keeps the former result until the new one is there.
    const going = (read: Surveying) =>
      setState((before) => (before?.file === file && before.read.survey ? before : { file, read }))
    going(begun)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('rows' in data) return going({ ...begun, rows: data.rows })
      worker.terminate()
      if ('problem' in data) set({ ...begun, problem: data.problem })
      else set({ ...begun, rows: data.survey.rows, survey: data.survey })
    }
    // The script itself did not arrive, or broke on what it read: the server will say more.
    worker.onerror = () => set({ ...begun, problem: 'workbook_unreadable' })
    worker.postMessage({ file, sheet, country } satisfies ToWorker)
    return () => {
      // A worker that is stopped while its script still loads may report an error, and its answer is of other headings.
      worker.onmessage = null
      worker.onerror = null
      worker.terminate()
    }
  }, [file, sheet, country])
  if (!file) return null
  return state?.file === file ? state.read : begun
}
