import type { StoredFile } from '@portal/client/client'
import { asProblem } from '@portal/client/problem'
import { useHost } from '@portal/sdk'
import { useState } from 'react'
import { notifyNoFile, saveFile } from './ExportButton.tsx'

/** Saves a file that a call answers at once, under its own name or another one; why it could not be had is said in a message. */
export function useDownload() {
  const { notify } = useHost()
  const [busy, setBusy] = useState(false)
  const save = async (ask: () => Promise<StoredFile>, name?: string) => {
    setBusy(true)
    try {
      const file = await ask()
      if (file.ready) saveFile(file.blob, name ?? file.name)
    } catch (thrown) {
      notifyNoFile(notify, asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }
  const download = (...args: Parameters<typeof save>) => void save(...args)
  return { busy, download }
}
