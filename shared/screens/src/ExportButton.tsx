import type { Client } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import { whenBack } from '@portal/client/query'
import type { AnswerOf, BodyOf, Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import { type FileProgress, storage } from '@portal/contracts/storage'
import { formatPercent } from '@portal/i18n/format'
import { type Host, useCan, useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { type ReactNode, useState } from 'react'
import { type ProblemForm, problemText } from './problemText.tsx'

type Answer = { message: string; file_name: string }

type Props<E extends Endpoint> = {
  endpoint: E & (AnswerOf<E> extends Answer ? unknown : never)
  body: BodyOf<E>
  permission: Permission
  /** The words of the button: "Export Payroll (Excel)". */
  children: ReactNode
}

/** Asks for an Excel file, shows how far it is, and saves it when it is written. */
export function ExportButton<E extends Endpoint>({ endpoint, body, permission, children }: Props<E>) {
  const { client, notify } = useHost()
  const can = useCan()
  const file = useExportFile()
  if (!can(permission)) return null
  // The body has the endpoint's type; TypeScript cannot infer it through the generic here.
  const call = client.call as (endpoint: Endpoint, args: object) => Promise<unknown>
  const ask = async (signal: AbortSignal) => {
    const { message, file_name } = (await call(endpoint, { body, signal })) as Answer
    notify.info(message)
    return file_name
  }
  return (
    <Button icon="download" busy={file.busy} onClick={() => void file.save(ask)}>
      {children}
      {file.share !== null && <span>{formatPercent(file.share)}</span>}
    </Button>
  )
}

/** Waits for a file that a job writes, and saves it. `ask` gives its name; leaving the page ends the waiting, and nothing else does. */
export function useExportFile() {
  const { client, notify } = useHost()
  const [progress, setProgress] = useState<FileProgress | null>(null)
  const save = async (ask: (signal: AbortSignal) => Promise<string>) => {
    const { pathname } = location
    const isLeft = () => location.pathname !== pathname
    const leaving = new AbortController()
    const { signal } = leaving
    // A button may disappear before its page does, with the selection that it exports.
    const watch = setInterval(() => isLeft() && leaving.abort(), 500)
    setProgress({ rows_done: 0, rows_total: 0 })
    try {
      const file = await written(client, await ask(signal), signal, setProgress)
      saveFile(file.blob, file.name)
    } catch (thrown) {
      if (!isLeft()) notifyNoFile(notify, asProblem(thrown), 'export')
    } finally {
      clearInterval(watch)
      setProgress(null)
    }
  }
  const share = progress && progress.rows_total > 0 ? progress.rows_done / progress.rows_total : null
  return { busy: progress !== null, share, save }
}

/** The file, as soon as the job has written it, which goes on while line or server are away. A hidden tab does not ask. */
async function written(
  client: Client,
  file_name: string,
  signal: AbortSignal,
  onProgress: (done: FileProgress) => void,
) {
  for (let usual = 500; ; usual = 1000) {
    let wait = usual
    try {
      const file = await client.file(storage.exported, { params: { file_name }, poll: true, signal })
      if (file.ready) return { blob: file.blob, name: file_name }
      onProgress(file)
    } catch (thrown) {
      const back = whenBack(asProblem(thrown))
      if (!back) throw thrown
      wait = back
    }
    await pause(wait, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const visible = () => {
      if (document.hidden) return document.addEventListener('visibilitychange', visible, { once: true })
      resolve()
    }
    setTimeout(visible, ms)
  })
}

/** Says why a file could not be had, with the reference of the log. */
export function notifyNoFile(notify: Host['notify'], problem: Problem, form?: ProblemForm): void {
  const reference = problem.request_id
  notify.bad(problemText(problem, form), reference ? { reference } : {})
}

/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
