import type { StoredFile } from '@portal/client/client'
import { asProblem } from '@portal/client/problem'
import { useHost } from '@portal/sdk'
import { useState } from 'react'
import { exportFailed, saveFile } from './ExportButton.tsx'

/** Saves a file that a call answers at once; why it could not be had is said in a message. */
export function useDownload() {
  const { notify } = useHost()
  const [busy, setBusy] = useState(false)
  const download = async (ask: () => Promise<StoredFile>) => {
    setBusy(true)
    try {
      const file = await ask()
      if (file.ready) saveFile(file.blob, file.name)
    } catch (thrown) {
      exportFailed(notify)(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { busy, download: (ask: () => Promise<StoredFile>) => void download(ask) }
}
